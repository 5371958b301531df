import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Starts a server that stores in `received` what it is sent, and how it was signed. */
export async function receiveWebhooks(received: { body: string; signature: string }[]) {
  const receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const header = request.headers['toolgate-signature']
    received.push({ body: Buffer.concat(chunks).toString('utf8'), signature: String(header) })
    response.writeHead(204).end()
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  const close = async () => {
    receiver.close()
    await once(receiver, 'close')
  }
  return { url: `http://127.0.0.1:${port}`, close }
}
