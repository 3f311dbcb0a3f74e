// Package docs is the manual. Its tests execute what the pages say.
package docs
