package novel

import _ "bohier/internal/space" // want: internal/novel is not listed
