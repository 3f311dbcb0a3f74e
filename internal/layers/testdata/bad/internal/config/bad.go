package config

import (
	"log"

	_ "bohier/internal/journal" // want: internal/config must not import internal/journal
	_ "bohier/internal/kernels" // want: internal/config must not import internal/kernels

	_ "gopkg.in/yaml.v3"
)

func quit() { log.Fatal("no") } // want: only main exits the process
