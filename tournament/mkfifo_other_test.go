//go:build !unix

package tournament

import "errors"

func mkfifo(string, string) error { return errors.ErrUnsupported }
