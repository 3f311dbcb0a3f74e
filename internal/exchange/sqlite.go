package exchange

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
)

// A database is the bytes of an SQLite file (file format 3, any page size, UTF-8),
// read as whole tables. https://www.sqlite.org/fileformat2.html has the layout.
type database struct {
	data    []byte
	page    int // bytes of a page
	usable  int // less the bytes reserved at its end
	tables  map[string]table
	visited int // pages read; a cycle in a damaged file ends there
}

type table struct {
	root    int
	columns []string
	rowid   string // the column that stands for the row's number; empty: none
}

var (
	sqliteMagic = []byte("SQLite format 3\x00")
	errDamaged  = errors.New("the database is damaged or cut short")
)

// openDatabase reads the schema.
func openDatabase(data []byte) (*database, error) {
	if len(data) < 100 || !bytes.HasPrefix(data, sqliteMagic) {
		return nil, errors.New("this is not an SQLite database")
	}
	d := &database{data: data, page: int(binary.BigEndian.Uint16(data[16:])), tables: map[string]table{}}
	if d.page == 1 {
		d.page = 1 << 16
	}
	d.usable = d.page - int(data[20])
	if d.page < 512 || d.page&(d.page-1) != 0 || d.usable < 480 || len(data)%d.page != 0 {
		return nil, errDamaged
	}
	if encoding := binary.BigEndian.Uint32(data[56:]); encoding > 1 {
		return nil, errors.New("the database is in UTF-16, which is not read")
	}
	d.tables["sqlite_schema"] = table{root: 1, columns: []string{"type", "name", "tbl_name", "rootpage", "sql"}}
	rows, err := d.rows("sqlite_schema")
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		root, _ := r["rootpage"].(int64)
		name, _ := r["name"].(string)
		sql, _ := r["sql"].(string)
		if r["type"] == "table" && root > 0 {
			t := table{root: int(root)}
			t.columns, t.rowid = columnsOf(sql)
			d.tables[name] = t
		}
	}
	return d, nil
}

// columnsOf are the columns of a CREATE TABLE statement, and the one that is the
// rowid.
func columnsOf(sql string) (columns []string, rowid string) {
	primaryKey := regexp.MustCompile(`(?i)primary\s+key\s*\(\s*"?([A-Za-z0-9_]+)"?\s*\)`)
	constraint := regexp.MustCompile(`(?i)^(primary|unique|foreign|check|constraint)\b`)
	integerKey := regexp.MustCompile(`(?i)^integer\b.*\bprimary\s+key\b`)
	_, list, _ := strings.Cut(sql, "(")
	types := map[string]string{}
	depth, start := 0, 0
	for i := 0; i <= len(list); i++ {
		switch {
		case i < len(list) && list[i] == '(':
			depth++
		case i < len(list) && list[i] == ')' && depth > 0:
			depth--
		case i == len(list) || depth == 0 && (list[i] == ',' || list[i] == ')'):
			part := strings.TrimSpace(list[start:i])
			start = i + 1
			if constraint.MatchString(part) {
				if m := primaryKey.FindStringSubmatch(part); m != nil && strings.EqualFold(types[m[1]], "integer") {
					rowid = m[1]
				}
			} else if f := strings.Fields(part); len(f) > 0 {
				name := strings.Trim(f[0], "\"`[]'")
				columns = append(columns, name)
				if len(f) > 1 {
					types[name] = f[1]
				}
				if integerKey.MatchString(strings.Join(f[1:], " ")) {
					rowid = name
				}
			}
			if i == len(list) || list[i] == ')' {
				return columns, rowid
			}
		}
	}
	return columns, rowid
}

// rows reads a whole table: nil, int64, float64, string or []byte by column. A table
// that does not exist has no rows.
func (d *database) rows(name string) ([]map[string]any, error) {
	t, ok := d.tables[name]
	if !ok {
		return nil, nil
	}
	var out []map[string]any
	d.visited = 0
	err := d.walk(t.root, func(rowid int64, payload []byte) error {
		values, err := record(payload)
		if err != nil {
			return err
		}
		row := make(map[string]any, len(t.columns))
		for i, c := range t.columns {
			if i < len(values) {
				row[c] = values[i]
			}
		}
		if t.rowid != "" && row[t.rowid] == nil {
			row[t.rowid] = rowid
		}
		out = append(out, row)
		return nil
	})
	return out, err
}

// walk visits the cells of a table's tree in order.
func (d *database) walk(number int, visit func(rowid int64, payload []byte) error) error {
	d.visited++
	if number < 1 || number > len(d.data)/d.page || d.visited > len(d.data)/d.page {
		return errDamaged
	}
	page := d.data[(number-1)*d.page : number*d.page]
	head := 0
	if number == 1 {
		head = 100
	}
	kind, cells := page[head], int(binary.BigEndian.Uint16(page[head+3:]))
	pointers := head + 8
	if kind == 5 {
		pointers += 4
	} else if kind != 13 {
		return errDamaged
	}
	if pointers+2*cells > d.usable {
		return errDamaged
	}
	for i := range cells {
		at := int(binary.BigEndian.Uint16(page[pointers+2*i:]))
		if at < head+8 || at+4 > d.usable {
			return errDamaged
		}
		if kind == 5 {
			if err := d.walk(int(binary.BigEndian.Uint32(page[at:])), visit); err != nil {
				return err
			}
			continue
		}
		size, n := varint(page[at:d.usable])
		rowid, m := varint(page[at+n : d.usable])
		if n == 0 || m == 0 || size < 0 || size > int64(len(d.data)) {
			return errDamaged
		}
		payload, err := d.payload(page[at+n+m:d.usable], int(size))
		if err != nil {
			return err
		}
		if err := visit(rowid, payload); err != nil {
			return err
		}
	}
	if kind == 5 {
		return d.walk(int(binary.BigEndian.Uint32(page[head+8:])), visit)
	}
	return nil
}

// payload is the content of a cell, with what lies on overflow pages.
func (d *database) payload(cell []byte, size int) ([]byte, error) {
	local := size
	if most := d.usable - 35; size > most {
		least := (d.usable-12)*32/255 - 23
		if local = least + (size-least)%(d.usable-4); local > most {
			local = least
		}
	}
	if local > len(cell) || size > local && local+4 > len(cell) {
		return nil, errDamaged
	}
	if local == size {
		return cell[:size], nil
	}
	out := append(make([]byte, 0, size), cell[:local]...)
	for next := int(binary.BigEndian.Uint32(cell[local:])); len(out) < size; {
		if next < 1 || next > len(d.data)/d.page {
			return nil, errDamaged
		}
		page := d.data[(next-1)*d.page : next*d.page]
		out = append(out, page[4:4+min(d.usable-4, size-len(out))]...)
		next = int(binary.BigEndian.Uint32(page))
	}
	return out, nil
}

// record decodes the values of a row.
func record(payload []byte) ([]any, error) {
	header, n := varint(payload)
	if n == 0 || header < int64(n) || header > int64(len(payload)) {
		return nil, errDamaged
	}
	types, body := payload[n:header], payload[header:]
	var out []any
	for len(types) > 0 {
		kind, n := varint(types)
		if n == 0 || kind < 0 {
			return nil, errDamaged
		}
		types = types[n:]
		size, value := 0, func([]byte) any { return nil }
		switch {
		case kind == 0:
		case kind <= 6:
			size = []int{0, 1, 2, 3, 4, 6, 8}[kind]
			value = func(b []byte) any {
				v := int64(int8(b[0]))
				for _, c := range b[1:] {
					v = v<<8 | int64(c)
				}
				return v
			}
		case kind == 7:
			size = 8
			value = func(b []byte) any { return math.Float64frombits(binary.BigEndian.Uint64(b)) }
		case kind == 8 || kind == 9:
			value = func([]byte) any { return kind - 8 }
		case kind < 12 || kind > math.MaxInt32:
			return nil, fmt.Errorf("%w: type %d", errDamaged, kind)
		case kind%2 == 0:
			size = int(kind-12) / 2
			value = func(b []byte) any { return bytes.Clone(b) }
		default:
			size = int(kind-13) / 2
			value = func(b []byte) any { return string(b) }
		}
		if size > len(body) {
			return nil, errDamaged
		}
		out, body = append(out, value(body[:size])), body[size:]
	}
	return out, nil
}

// varint is a number of up to nine bytes, the first seven bits of each first; n is 0
// where the bytes end too soon.
func varint(b []byte) (v int64, n int) {
	for n < 9 && n < len(b) {
		c := b[n]
		n++
		if n == 9 {
			return v<<8 | int64(c), n
		}
		v = v<<7 | int64(c&0x7f)
		if c < 0x80 {
			return v, n
		}
	}
	return 0, 0
}
