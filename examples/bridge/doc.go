// Package bridge tests bridge.py, a program between the referee and programs that speak the words of another judge.
package bridge
