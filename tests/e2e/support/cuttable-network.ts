import { connect, createServer, type Socket } from 'node:net'

export type CuttableNetwork = {
  /** Breaks every connection and accepts no new one until `restore`. */
  cut: () => void
  restore: () => void
  close: () => void
}

/**
 * Opens a port that forwards to the site and can be cut, as a reader loses the network without the server noticing
 * more.
 */
export function openCuttableNetwork(port: number, sitePort: number): Promise<CuttableNetwork> {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    const far = connect(sitePort, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    if (isCut) return void near.destroy()
    near.pipe(far).pipe(near)
  })
  const breakAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  const network: CuttableNetwork = {
    cut: () => {
      isCut = true
      breakAll()
    },
    restore: () => {
      isCut = false
    },
    close: () => {
      breakAll()
      server.close()
    },
  }
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(network))
  })
}
