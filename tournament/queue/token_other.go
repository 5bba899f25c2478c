//go:build !unix

package queue

const waitForNobody = 0
