package tournament

import (
	"context"
	"errors"
	"io"
)

// WritePage writes one self-contained page of the tournament.
func (t *Tournament) WritePage(ctx context.Context, s *Store, w io.Writer) error {
	return errors.ErrUnsupported
}
