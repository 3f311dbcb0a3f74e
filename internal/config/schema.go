package config

import (
	"bytes"
	"encoding/json"
)

// Schema is a JSON Schema (draft-07) of the study file, for editors that
// complete and check while typing. It accepts every file that loads; conditions,
// bounds and names are checked further by loading.
func Schema() []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(schema()); err != nil {
		panic("config: " + err.Error()) // maps of texts always encode
	}
	return b.Bytes()
}

type schemaObject = map[string]any

func ref(name string) schemaObject { return schemaObject{"$ref": "#/definitions/" + name} }

func described(s schemaObject, text string) schemaObject {
	s["description"] = text
	return s
}

func enum(words []string) schemaObject { return schemaObject{"enum": words} }

func listOf(item schemaObject) schemaObject { return schemaObject{"type": "array", "items": item} }

func mapOf(item schemaObject) schemaObject {
	return schemaObject{"type": "object", "additionalProperties": item}
}

func anyOf(s ...schemaObject) schemaObject { return schemaObject{"anyOf": s} }

func integer(least int) schemaObject { return schemaObject{"type": "integer", "minimum": least} }

// closed is a mapping with these keys only, beside those that start with x-.
func closed(properties schemaObject, required ...string) schemaObject {
	s := schemaObject{"type": "object", "properties": properties, "additionalProperties": false,
		"patternProperties": schemaObject{"^x-": schemaObject{}, "^<<$": schemaObject{}}}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

var (
	anyText   = func() schemaObject { return schemaObject{"type": "string"} }
	anyNumber = func() schemaObject { return schemaObject{"type": "number"} }
	anyBool   = func() schemaObject { return schemaObject{"type": "boolean"} }
	anyScalar = func() schemaObject { return schemaObject{"type": []string{"string", "number", "boolean"}} }
)

func schema() schemaObject {
	s := closed(schemaObject{
		"version":     described(schemaObject{"const": 1}, "version of the study file"),
		"name":        described(anyScalar(), "name of the study; the file's name if left out"),
		"objective":   ref("objective"),
		"constraints": described(listOf(anyText()), `bounds on measured outcomes: "latency_ms <= 200"`),
		"cost":        closed(schemaObject{"name": anyText(), "exponent": schemaObject{"type": "number", "minimum": 0}}),
		"space":       ref("space"),
		"parameters":  ref("space"),
		"forbidden":   described(listOf(ref("condition")), "input combinations never proposed"),
		"require":     described(listOf(ref("condition")), "input relations that must hold"),
		"initial": closed(schemaObject{
			"points": described(listOf(mapOf(anyScalar())), "proposed first; may be partial"),
			"design": enum(allDesigns),
			"count":  described(integer(0), "points before the surrogate takes over"),
		}),
		"surrogate":   ref("surrogate"),
		"acquisition": anyOf(enum(allAcquisitions), ref("acquisition")),
		"warm_start":  closed(schemaObject{"journals": listOf(anyText()), "task_kernel": enum([]string{"lap", "matern52"})}, "journals"),
		"stop":        closed(schemaObject{"regret": schemaObject{"type": "number", "exclusiveMinimum": 0}}),
		"budget": closed(schemaObject{
			"trials":   described(integer(1), "complete, pending and infeasible trials"),
			"failures": described(integer(0), "transient failures in all; default 20"),
			"wall":     described(ref("duration"), "of one run process"),
		}),
		"seed":    integer(0),
		"journal": described(anyText(), "relative to this file and inside its directory"),
		"run":     ref("run"),
	}, "objective")
	s["anyOf"] = []schemaObject{{"required": []string{"space"}}, {"required": []string{"parameters"}}}
	s["$schema"] = "http://json-schema.org/draft-07/schema#"
	s["title"] = "bohier study file"
	s["definitions"] = schemaObject{
		"objective": closed(schemaObject{
			"name":      described(anyScalar(), "key read from observe --json and from a command's output"),
			"direction": enum([]string{"minimize", "maximize"}),
			"goal":      enum([]string{"minimize", "maximize"}),
			"target":    described(anyNumber(), "stop once reached"),
			"transform": enum([]string{"none", "log", "power", "copula", "auto"}),
		}),
		"space": schemaObject{"type": "object", "minProperties": 1,
			"propertyNames":        schemaObject{"pattern": `^([A-Za-z_][A-Za-z0-9_.-]*|<<)$`},
			"additionalProperties": ref("parameter")},
		"parameter":   parameterSchema(),
		"values":      schemaObject{"type": "array", "minItems": 1, "items": anyScalar()},
		"condition":   conditionSchema(),
		"duration":    schemaObject{"type": "string", "pattern": `^([0-9.]+(ns|us|µs|ms|s|m|h|d))+$`, "examples": []string{"90s", "30m", "2h", "1h30m", "2d"}},
		"kernel":      kernelSchema(),
		"surrogate":   surrogateSchema(),
		"acquisition": acquisitionSchema(),
		"run": closed(schemaObject{
			"command":      described(schemaObject{"type": "array", "minItems": 1, "items": anyScalar()}, "argv; {name} stands for a parameter's value"),
			"shell":        described(anyText(), "run by sh; values come through the environment"),
			"timeout":      ref("duration"),
			"parallel":     integer(1),
			"retries":      integer(0),
			"result_file":  anyText(),
			"result_regex": anyText(),
		}),
	}
	return s
}

func parameterSchema() schemaObject {
	names := listOf(anyScalar())
	full := closed(schemaObject{
		"type":      enum(kindNames),
		"low":       anyNumber(),
		"high":      anyNumber(),
		"min":       anyNumber(),
		"max":       anyNumber(),
		"lower":     anyNumber(),
		"upper":     anyNumber(),
		"scale":     enum(scales),
		"log":       anyBool(),
		"step":      schemaObject{"type": "number", "exclusiveMinimum": 0},
		"precision": described(integer(1), "significant digits"),
		"discrete":  described(anyBool(), "an int as a path graph"),
		"values":    ref("values"),
		"choices":   ref("values"),
		"positions": described(listOf(anyNumber()), "places of an ordinal's values"),
		"graph": anyOf(enum([]string{"complete", "path", "cycle", "star"}),
			closed(schemaObject{
				"edges":   listOf(schemaObject{"type": "array", "items": anyScalar(), "minItems": 2, "maxItems": 2}),
				"weights": listOf(schemaObject{"type": "number", "exclusiveMinimum": 0}),
				"groups":  mapOf(names),
			})),
		"value":     described(anyScalar(), "makes it a constant"),
		"default":   anyScalar(),
		"active_if": ref("condition"),
		"prior":     closed(schemaObject{"mode": anyScalar(), "strength": enum([]string{"weak", "medium", "strong"})}, "mode"),
	})
	return anyOf(described(ref("values"), "a bare list is categorical"), full)
}

func conditionSchema() schemaObject {
	conditions := schemaObject{"type": "array", "minItems": 1, "items": ref("condition")}
	comparisons := schemaObject{"type": "object", "minProperties": 1, "additionalProperties": false, "properties": schemaObject{
		"lt": anyScalar(), "le": anyScalar(), "gt": anyScalar(), "ge": anyScalar(), "eq": anyScalar(), "ne": anyScalar(),
		"in": ref("values"), "not_in": ref("values")}}
	return anyOf(
		described(schemaObject{"type": []string{"string", "boolean"}}, `an expression: kernel in [rbf, poly] and C > 10`),
		conditions,
		schemaObject{"type": "object", "minProperties": 1,
			"properties":           schemaObject{"any": conditions, "all": conditions, "not": ref("condition")},
			"additionalProperties": anyOf(anyScalar(), ref("values"), comparisons)})
}

func kernelSchema() schemaObject {
	return closed(schemaObject{
		"name":          enum(allKernels),
		"sum":           schemaObject{"type": "array", "minItems": 2, "items": enum(allKernels)},
		"base":          enum(allBases),
		"combine":       enum([]string{"joint", "product", "sum"}),
		"distance":      described(mapOf(enum(allKernels)), "per-parameter override of name"),
		"always_active": enum([]string{"plain", "same"}),
		"weights":       enum([]string{"free", "ancestors"}),
		"nominal_rho":   anyBool(),
		"constant":      anyNumber(),
		"ard":           anyBool(),
		"embedding":     enum([]string{"arc", "imp", "imparc", "box", "const", "flat"}),
		"terms": listOf(closed(schemaObject{
			"weight": schemaObject{"type": "number", "exclusiveMinimum": 0},
			"power":  schemaObject{"type": "number", "exclusiveMinimum": 0, "maximum": 2},
			"order":  integer(1)})),
		"order":     integer(1),
		"power":     schemaObject{"type": "number", "exclusiveMinimum": 0, "maximum": 2},
		"normalize": anyBool(),
	})
}

func surrogateSchema() schemaObject {
	pair := schemaObject{"type": "array", "items": anyNumber(), "minItems": 2, "maxItems": 2}
	return closed(schemaObject{
		"kernel": anyOf(enum(allKernels), ref("kernel")),
		"hyperparameters": closed(schemaObject{
			"fixed":   mapOf(anyNumber()),
			"initial": mapOf(anyNumber()),
			"bounds":  mapOf(pair),
			"prior": mapOf(schemaObject{"type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": false,
				"properties": schemaObject{"lognormal": pair, "normal": pair, "uniform": pair}}),
		}),
		"form":          enum([]string{"gp", "kriging"}),
		"nugget":        anyOf(schemaObject{"const": "estimate"}, schemaObject{"type": "number", "minimum": 0}),
		"reinterpolate": anyBool(),
		"inference":     enum([]string{"mle", "map", "mcmc"}),
		"fit":           closed(schemaObject{"optimizer": enum([]string{"lbfgs", "direct"}), "starts": integer(1), "evaluations": integer(0)}),
		"warping":       schemaObject{"enum": []any{"auto", true, false}},
		"separate":      anyBool(),
	})
}

func acquisitionSchema() schemaObject {
	return closed(schemaObject{
		"name":    enum(allAcquisitions),
		"kappa":   schemaObject{"type": "number", "exclusiveMinimum": 0},
		"pending": enum([]string{"fantasy", "believer", "liar"}),
		"search": closed(schemaObject{
			"optimizer":  enum([]string{"hybrid", "de"}),
			"candidates": anyOf(schemaObject{"const": "auto"}, integer(1)),
			"starts":     integer(1)}),
	})
}
