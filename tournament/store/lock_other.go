//go:build !unix

package store

const notFollowed = 0
