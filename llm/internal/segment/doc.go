// Package segment is a store of small immutable values by content key, in append-only files that several
// processes may use at once.
//
// Why not bbolt, which has one file and one writer: a second assay in the same project would have to wait
// for the first one's lock, each small write costs two syncs and a rewrite of tree pages, and none of its
// ordering is needed here. Why not a file per key: 300,000 vectors are 300,000 inodes.
//
// Each process appends to a segment of its own and reads all of them. A segment is held by a lock on a
// file beside it, which the system lets go of however the process ends; the next process takes over
// the first segment that is free, so there are as many as there ever were processes at one time. Nobody
// waits for anybody. Two processes that need the same value at the same moment may both fetch it.
//
// A value is written, by one call, before Put returns: killing the process loses nothing that was put.
// Syncing to the disk follows within a second, so a power cut may lose that second. Records carry
// checksums; a damaged or torn one is a miss and is fetched again, never a wrong value.
package segment
