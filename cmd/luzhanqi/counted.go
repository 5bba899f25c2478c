package main

import "luzhanqi/text"

func counted(n int, noun string) string { return text.Count(n, noun) }
