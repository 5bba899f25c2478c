// Package recipes has what puts the grader into other systems: Gradescope and GitHub Classroom. docs/recipes.md is about them;
// its tests run the scripts as these systems do.
package recipes
