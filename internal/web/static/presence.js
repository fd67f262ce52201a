// What is in front of a rater stays theirs while they are there: the page says so once a minute while keys, the pointer or the
// passage move. Who went away and comes back is told when their passage has gone to somebody else meanwhile; it is never
// changed under their hands, because the next key would then judge what they have not read. (label.js calls talked and waiting.)
'use strict'

let minute = 60 * 1000
let moved = Date.now() // the rater, last
let heard = 0 // the server of the rater, last
let again // the timer that looks for more

// talked notes that the server has just heard of the rater.
function talked() {
  heard = Date.now()
  $('taken').hidden = true
}

async function alive() {
  if (busy || !state || !state.task || moved <= heard || Date.now() - heard < minute) return
  heard = Date.now()
  const seq = state.seq
  try {
    const {held} = await ask('alive')
    if (state.seq === seq && !busy) $('taken').hidden = held
  } catch { /* the next answer says what is wrong */ }
}

// waiting looks for what others give back, as long as somebody sits there.
function waiting(some) {
  clearTimeout(again)
  if (!some) return
  again = setTimeout(() => {
    if (Date.now() - moved < 10 * minute) send('next', {})
    else waiting(true)
  }, minute / 3)
}

function another() {
  if (!$('taken').hidden) send('next', {}, 'This is another passage.')
}

for (const kind of ['keydown', 'pointermove', 'pointerdown', 'wheel', 'scroll', 'focus']) {
  addEventListener(kind, () => { moved = Date.now(); setTimeout(alive, 0) }, {passive: true, capture: true})
}
setInterval(alive, minute)
$('another').addEventListener('click', another)
