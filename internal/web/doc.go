// Package web serves assay's pages from the binary: today the one on which people judge passages.
//
// It is opinionated about three things. The pages are for the person at this machine: the server listens on loopback only, wants
// the token that was printed in the terminal, and refuses what another site's page sends. Text of documents and queries is never
// markup: it goes over the wire as JSON and into the page as text, under a policy that runs no script but assay's own. And
// nothing on a page comes from anywhere else: no font, no script, no picture, no request.
package web
