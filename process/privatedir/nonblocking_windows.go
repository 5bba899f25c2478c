package privatedir

const nonBlocking = 0
