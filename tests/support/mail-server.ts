import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'

/** Lines of a client, without the text of the mail, which is in `mails`. */
type Conversation = { said: string[]; mails: string[] }

/** Answers of the server to a command that begins with a word; it accepts the rest. */
type Answers = Partial<Record<string, string>>

/**
 * Starts a mail server that keeps what it is told. `pem`: a key and certificate with which it offers STARTTLS.
 * `answers` replaces its answers, by the first word of a command or by a whole command.
 */
export async function startMailServer(answers: Answers = {}, pem?: Buffer) {
  const heard: Conversation = { said: [], mails: [] }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.write('220 mail.test ESMTP\r\n')
    converse(socket, heard, { ...answers, ...(pem === undefined && { STARTTLS: '502 no' }) }, pem)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  }
  return { host: '127.0.0.1', port, ...heard, close }
}

function converse(socket: Socket, heard: Conversation, answers: Answers, pem?: Buffer): void {
  let pending = ''
  let mail: string | null = null
  const hear = (chunk: Buffer) => {
    pending += chunk.toString('utf8')
    for (let end = pending.indexOf('\r\n'); end >= 0; end = pending.indexOf('\r\n')) {
      const line = pending.slice(0, end)
      pending = pending.slice(end + 2)
      if (mail === null) {
        heard.said.push(line)
        if (line === 'STARTTLS' && pem) return upgrade()
        if (line === 'DATA' && !answers.DATA) mail = ''
        socket.write(`${answerTo(line, answers, pem)}\r\n`)
      } else if (line === '.') {
        heard.mails.push(mail)
        mail = null
        socket.write(`${answers.mail ?? '250 taken'}\r\n`)
      } else {
        mail += `${line}\n`
      }
    }
  }
  const upgrade = () => {
    socket.off('data', hear)
    socket.write('220 begin\r\n')
    const context = createSecureContext({ key: pem, cert: pem })
    const secure = new TLSSocket(socket, { isServer: true, secureContext: context })
    secure.on('error', () => undefined)
    converse(secure, heard, answers)
  }
  socket.on('data', hear)
}

function answerTo(line: string, answers: Answers, pem?: Buffer): string {
  const [word = ''] = line.split(' ')
  const given = answers[line] ?? answers[word]
  if (given !== undefined) return given
  if (word === 'EHLO') {
    return ['250-mail.test', ...(pem ? ['250-STARTTLS'] : []), '250 AUTH PLAIN'].join('\r\n')
  }
  if (word === 'AUTH') return '235 welcome'
  if (word === 'DATA') return '354 go on'
  return word === 'QUIT' ? '221 bye' : '250 ok'
}
