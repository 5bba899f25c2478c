package main

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
)

// The words of CycloneDX 1.6 that are used here: https://cyclonedx.org/docs/1.6/json/.
type (
	bom struct {
		Schema       string       `json:"$schema"`
		Format       string       `json:"bomFormat"`
		SpecVersion  string       `json:"specVersion"`
		Version      int          `json:"version"`
		Metadata     metadata     `json:"metadata"`
		Components   []component  `json:"components"`
		Compositions []assemblies `json:"compositions"`
	}
	metadata struct {
		Component component `json:"component"`
	}
	component struct {
		Type       string          `json:"type"`
		Ref        string          `json:"bom-ref"`
		Name       string          `json:"name"`
		Version    string          `json:"version"`
		Hashes     []hash          `json:"hashes,omitempty"`
		Licences   []licenceChoice `json:"licenses,omitempty"`
		PURL       string          `json:"purl,omitempty"`
		Properties []property      `json:"properties,omitempty"`
	}
	hash struct {
		Alg     string `json:"alg"`
		Content string `json:"content"`
	}
	licenceChoice struct {
		Licence licenceName `json:"license"`
	}
	licenceName struct {
		ID   string `json:"id,omitempty"`
		Name string `json:"name,omitempty"`
	}
	property struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	assemblies struct {
		Aggregate  string   `json:"aggregate"`
		Assemblies []string `json:"assemblies"`
	}
)

// bomPath is where the bill of materials of a binary stands: beside it.
func bomPath(binary string) string { return strings.TrimSuffix(binary, ".exe") + ".cdx.json" }

// newBOM lists what is in a binary.
func newBOM(version string, b binary) []byte {
	root := component{
		Type: "application", Ref: "luzhanqi", Name: "luzhanqi", Version: version,
		Properties: []property{{"luzhanqi:os", b.os}, {"luzhanqi:architecture", b.arch}},
	}
	std := strings.TrimPrefix(b.goVersion, "go")
	all := []component{{
		Type: "library", Ref: "pkg:golang/std@" + std, Name: "std", Version: std, PURL: "pkg:golang/std@" + std,
		Licences: []licenceChoice{{licenceName{ID: "BSD-3-Clause"}}},
	}}
	for _, m := range b.modules {
		purl := "pkg:golang/" + m.path + "@" + m.version
		all = append(all, component{
			Type: "library", Ref: purl, Name: m.path, Version: m.version, PURL: purl, Hashes: hashes(m.sum), Licences: choices(m.licences),
		})
	}
	text, err := json.MarshalIndent(bom{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", SpecVersion: "1.6", Version: 1,
		Metadata: metadata{root}, Components: all,
		// All that is linked in is listed; what needs what is not said.
		Compositions: []assemblies{{"complete", []string{root.Ref}}},
	}, "", "  ")
	if err != nil {
		panic(err) // strings alone
	}
	return append(text, '\n')
}

// choices are the licences of a component: each known one once, others by their file's name.
func choices(all []licence) []licenceChoice {
	var found []licenceChoice
	for _, l := range all {
		name := licenceName{ID: l.id}
		if l.id == "" {
			name = licenceName{Name: "NOTICES.txt: " + l.file}
		}
		if !slices.Contains(found, licenceChoice{name}) {
			found = append(found, licenceChoice{name})
		}
	}
	return found
}

// hashes are what go.sum says of a module: "h1:" is the SHA-256 of the list of its files and their SHA-256.
func hashes(sum string) []hash {
	raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(sum, "h1:"))
	if err != nil || !strings.HasPrefix(sum, "h1:") {
		return nil
	}
	return []hash{{"SHA-256", hex.EncodeToString(raw)}}
}
