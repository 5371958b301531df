// An MCP server over HTTP that does what its first argument says, as JSON: see `script.ts`. Prints its port.
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { openScript } from './script-behaviour.mjs'

const [plan] = process.argv.slice(2)
const { script, receive } = openScript(plan)

function* zeros(bytes) {
  const part = Buffer.alloc(64 * 1024, '0')
  for (let left = bytes; left > 0; left -= part.length) yield part
}

createServer(async (request, response) => {
  const { streams = false } = script()
  const type = streams ? 'text/event-stream' : 'application/json'
  if (request.method !== 'POST') return void response.writeHead(405).end()
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const message = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  if (message.id === undefined) {
    receive(message)
    return void response.writeHead(202).end()
  }
  const begin = () => response.headersSent || response.writeHead(200, { 'content-type': type })
  const frame = (sent) => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...sent })
    return streams ? `data: ${text}\n\n` : text
  }
  receive(message, {
    frame,
    out: response,
    send: (sent) => {
      begin()
      response.write(frame(sent))
      // A stream may have more to say.
      if (sent.id === message.id || !streams) response.end()
    },
    begin: ({ isWhole = false } = {}) => {
      begin()
      if (streams && !isWhole) response.write('data: ')
    },
    finish: () => response.end(streams ? '\n\n' : ''),
    respond: ({ status = 200, headers = {}, body = '', zippedBytes, breaks }) => {
      response.writeHead(status, { 'content-type': type, ...headers })
      if (zippedBytes)
        return void Readable.from(zeros(zippedBytes)).pipe(createGzip()).pipe(response)
      response.write(body, () => (breaks ? response.destroy() : response.end()))
    },
    breakOff: () => response.destroy(),
  })
}).listen(0, '127.0.0.1', function announce() {
  process.stdout.write(`${this.address().port}\n`)
})
