// Package course is an example of a course: course.toml says how the five programs in the folder submissions are graded,
// and marks.csv which marks they get. Its test grades them. There is nothing to import.
package course
