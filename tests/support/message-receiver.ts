import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Answer of a receiver: a status, none, a closed connection, or a redirect. */
type Answer = number | 'hang' | 'go-away' | 'redirect'

/** Starts a receiver that keeps what it is sent, and answers as `answers` says, one after the other, and then with 200. */
export async function startMessageReceiver() {
  const received: { path: string; body: string }[] = []
  const answers: Answer[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    received.push({ path: request.url ?? '', body: Buffer.concat(chunks).toString('utf8') })
    const answer = answers.shift() ?? 200
    if (answer === 'hang') return
    if (answer === 'go-away') return request.socket.destroy()
    if (answer === 'redirect') return response.writeHead(302, { location: '/elsewhere' }).end()
    response.writeHead(answer).end('the path is /hooks/hidden')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { received, answers, origin, close }
}
