import { createServer } from 'node:net'

const FIRST = 24_010
const LAST = 32_000
const STEP = 10

/** Returns the first of ten consecutive free ports, for the servers of a test run. */
export async function findFreePorts() {
  for (let first = FIRST; first < LAST; first += STEP) {
    const ports = Array.from({ length: STEP }, (_, index) => first + index)
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return first
  }
  throw new Error(`No ${STEP} free ports in a row between ${FIRST} and ${LAST}.`)
}

function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
