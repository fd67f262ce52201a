package segment

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// Key names an entry: a SHA-256 of everything that shaped its value.
type Key [32]byte

// A record on disk, little-endian:
//
//	0   magic "AsC1"
//	4   length of the value, uint32
//	8   CRC-32C of the value
//	12  key, 32 bytes
//	44  CRC-32C of bytes 0 to 43
//	48  value
const (
	headerSize = 48
	maxValue   = 32 << 20 // no single reply comes near; a larger length is damage
)

var (
	magic      = [4]byte{'A', 's', 'C', '1'}
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
)

var errDamaged = errors.New("damaged record")

func appendRecord(buf []byte, key Key, value []byte) []byte {
	at := len(buf)
	buf = append(buf, magic[:]...)
	buf = binary.LittleEndian.AppendUint32(buf, uint32(len(value)))
	buf = binary.LittleEndian.AppendUint32(buf, crc32.Checksum(value, castagnoli))
	buf = append(buf, key[:]...)
	buf = binary.LittleEndian.AppendUint32(buf, crc32.Checksum(buf[at:at+44], castagnoli))
	return append(buf, value...)
}

// parseHeader reads and checks the first headerSize bytes of a record.
func parseHeader(h []byte) (key Key, length int, err error) {
	if len(h) < headerSize || [4]byte(h[:4]) != magic {
		return key, 0, errDamaged
	}
	if crc32.Checksum(h[:44], castagnoli) != binary.LittleEndian.Uint32(h[44:48]) {
		return key, 0, errDamaged
	}
	n := binary.LittleEndian.Uint32(h[4:8])
	if n > maxValue {
		return key, 0, errDamaged
	}
	return Key(h[12:44]), int(n), nil
}

// parseRecord checks a whole record against the key it was looked up by.
func parseRecord(rec []byte, want Key) ([]byte, error) {
	key, n, err := parseHeader(rec)
	if err != nil {
		return nil, err
	}
	value := rec[headerSize:]
	if key != want || len(value) != n || crc32.Checksum(value, castagnoli) != binary.LittleEndian.Uint32(rec[8:12]) {
		return nil, fmt.Errorf("%w: key or checksum differs", errDamaged)
	}
	return value, nil
}
