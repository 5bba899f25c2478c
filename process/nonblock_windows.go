package process

const nonBlocking = 0
