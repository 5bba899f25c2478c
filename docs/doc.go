// Package docs holds the pages for users. There is nothing to import: its tests run the commands in all pages of the
// repository, and find links, files and names in them that are not there.
package docs
