import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ChannelMessage } from '@/lib/domains/channels/shared/delivery'
import { startMailServer } from '@/tests/support/mail-server'
import { secondsToWait } from './post-json'
import { type OpenChannel, sendMessage, shownMessage } from './send-message'
import { signature } from './webhook'

const message: ChannelMessage = {
  title: 'Daily\r\nsite budget\u0007 passed 80 %',
  text: '<!channel> & @here: 4 of 5\u202e spent',
  data: { type: 'budget-alert', percent: 80 },
}
const accepted = { isAccepted: true, trouble: null, failure: null, retryAfterSeconds: null }

describe('webhooks', () => {
  let server: Server
  let url: string
  let status = 200
  let headers: Record<string, string> = {}
  const received: { path: string | undefined; body: string; signed: string | undefined }[] = []

  beforeEach(async () => {
    received.length = 0
    status = 200
    headers = {}
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const signed = request.headers['toolgate-signature']
      const body = Buffer.concat(chunks).toString('utf8')
      received.push({ path: request.url, body, signed: signed?.toString() })
      response.writeHead(status, headers).end('the path is /s3cret')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/s3cret?key=1`
  })
  afterEach(async () => {
    server.close()
    await once(server, 'close')
  })

  const slack = (): OpenChannel => ({ kind: 'slack', privateAddressAllowed: true, url })
  const signed = (): OpenChannel => ({ ...slack(), kind: 'webhook', url, secret: 'signs it' })

  test('a signed webhook gets the data, with a signature of the moment and the body', async () => {
    expect(await sendMessage(signed(), message)).toEqual({ ...accepted, status: 200 })
    expect(received).toMatchObject([{ path: '/s3cret?key=1', body: JSON.stringify(message.data) }])
    const { body, signed: header = '' } = received[0] ?? { body: '' }
    const at = Number(/^t=(\d+),/.exec(header)?.[1])
    expect(header).toBe(signature('signs it', body, at))
  })

  test('a Slack-compatible one gets text that mentions nobody and hides nothing', async () => {
    expect(await sendMessage(slack(), message)).toEqual({ ...accepted, status: 200 })
    const { body, signed: header } = received[0] ?? { body: '' }
    expect(header).toBeUndefined()
    expect(JSON.parse(body)).toEqual({
      text: 'Daily site budget passed 80 %\n&lt;!channel&gt; &amp; @\u200bhere: 4 of 5[U+202E] spent',
      mrkdwn: false,
      unfurl_links: false,
      unfurl_media: false,
    })
  })

  test('a message that was not received may be sent again, and one that was refused may not', async () => {
    const failures: Record<number, string> = {}
    for (status of [301, 400, 403, 404, 408, 429, 500, 503]) {
      const delivery = await sendMessage(slack(), message)
      expect(delivery).toMatchObject({ isAccepted: false, status })
      failures[status] = String(delivery.failure)
    }
    expect(failures).toEqual({
      301: 'final',
      400: 'final',
      403: 'final',
      404: 'final',
      408: 'later',
      429: 'later',
      500: 'later',
      503: 'later',
    })
  })

  test('delivery is uncertain when the receiver hangs up, and did not happen when nobody listens', async () => {
    server.removeAllListeners('request')
    server.on('request', (request) => request.socket.destroy())
    expect(await sendMessage(slack(), message)).toMatchObject({ failure: 'unknown', status: null })
    const nowhere = { ...slack(), url: 'http://127.0.0.1:1/' } as const
    expect(await sendMessage(nowhere, message)).toMatchObject({ failure: 'later', status: null })
    const closed = { ...slack(), privateAddressAllowed: false }
    expect(await sendMessage(closed, message)).toMatchObject({ failure: 'final', status: null })
  })

  test('a signal ends an attempt, and then nobody knows', async () => {
    server.removeAllListeners('request')
    const stop = new AbortController()
    server.on('request', () => stop.abort())
    expect(await sendMessage(slack(), message, stop.signal)).toMatchObject({ failure: 'unknown' })
  })

  test('people see a signed message as its receiver gets it', async () => {
    await sendMessage(signed(), message)
    const shown = shownMessage({ kind: 'webhook', sender: null, to: 0 }, message)
    expect(JSON.parse(shown)).toEqual(JSON.parse(received[0]?.body ?? ''))
  })

  test.each([
    [204, null],
    [301, /redirects to another address \(301\), and redirects are not followed/],
    [400, /answered 400/],
    [403, /refused the message \(403\)/],
    [410, /does not exist at this address \(410\)/],
    [429, /too many messages \(429\)/],
    [503, /answered 503/],
  ])('an answer %d becomes words of our own', async (answer, words) => {
    status = answer
    headers = { location: '/elsewhere', 'retry-after': '120' }
    for (const channel of [slack(), signed()]) {
      const { isAccepted, trouble, retryAfterSeconds } = await sendMessage(channel, message)
      expect(isAccepted).toBe(words === null)
      expect(trouble).toEqual(words === null ? null : expect.stringMatching(words))
      expect(retryAfterSeconds).toBe(words === null ? null : 120)
      expect(String(trouble)).not.toContain('s3cret')
    }
    expect(received).toHaveLength(2)
  })

  test('an address that nobody allowed is never asked', async () => {
    const closed = { ...slack(), privateAddressAllowed: false }
    expect((await sendMessage(closed, message)).trouble).toContain('so it is blocked')
    expect(received).toEqual([])
  })
})

test('a receiver asks for a wait in seconds or by a date, and for some hours at most', () => {
  expect(secondsToWait('30')).toBe(30)
  expect(secondsToWait('999999')).toBe(21_600)
  const inAnHour = new Date(Date.now() + 3_600_000).toUTCString()
  expect(secondsToWait(inAnHour)).toBeGreaterThan(3_500)
  for (const nothing of [undefined, '', 'soon', '-5', 'Thu, 01 Jan 1970 00:00:00 GMT']) {
    expect(secondsToWait(nothing)).toBeNull()
  }
})

describe('mail', () => {
  const opened: { close: () => Promise<void> }[] = []
  afterEach(async () => {
    for (const server of opened.splice(0)) await server.close()
  })
  async function open(...given: Parameters<typeof startMailServer>) {
    const server = await startMailServer(...given)
    opened.push(server)
    return server
  }

  type Mail = Extract<OpenChannel, { kind: 'smtp' }>
  function mail(port: number, route: Partial<Mail['route']> = {}, rest: Partial<Mail> = {}): Mail {
    const to = ['ada@example.com', 'kim@example.com']
    const usual = { host: '127.0.0.1', port, security: 'none', user: null } as const
    return {
      kind: 'smtp',
      privateAddressAllowed: true,
      password: null,
      ...rest,
      route: { ...usual, from: 'toolgate@example.com', to, ...route },
    }
  }

  test('goes to every recipient, with one line as its subject', async () => {
    const server = await open()
    expect(await sendMessage(mail(server.port), message)).toEqual({ ...accepted, status: 250 })
    expect(server.said.filter((line) => /^(MAIL|RCPT)/.test(line))).toEqual([
      'MAIL FROM:<toolgate@example.com>',
      'RCPT TO:<ada@example.com>',
      'RCPT TO:<kim@example.com>',
    ])
    expect(server.mails[0]).toMatch(/^Subject: Daily site budget passed 80 %$/m)
    expect(server.mails[0]).toMatch(/^<!channel> & @here: 4 of 5\[U\+202E\] spent$/m)
    expect(server.said.some((line) => line.startsWith('AUTH'))).toBe(false)
    const look = { kind: 'smtp', sender: 'toolgate@example.com', to: 2 } as const
    expect(shownMessage(look, message)).toBe(
      'From: toolgate@example.com\nTo: 2 recipients\nSubject: Daily site budget passed 80 %\n\n<!channel> & @here: 4 of 5[U+202E] spent',
    )
  })

  test('a server that is busy may be asked again, one that refuses may not', async () => {
    const [busy, full] = [await open({ RCPT: '451 later' }), await open({ mail: '554 no' })]
    expect(await sendMessage(mail(busy.port), message)).toMatchObject({
      failure: 'later',
      status: 451,
    })
    expect(await sendMessage(mail(full.port), message)).toMatchObject({
      failure: 'final',
      status: 554,
    })
  })

  test.each([
    [{ MAIL: '550 no s3cret' }, /refused the mail \(550\)/],
    [{ RCPT: '451 later' }, /refused the mail \(451\)/],
    [{ DATA: '552 no' }, /refused the mail \(552\)/],
    [{ mail: '554 no s3cret' }, /refused the mail \(554\)/],
    [{ EHLO: '554 no', HELO: '554 no' }, /did not answer as one \(554\)/],
  ])('%o becomes words of our own', async (answers, words) => {
    const server = await open(answers)
    const { isAccepted, trouble } = await sendMessage(mail(server.port), message)
    expect({ isAccepted, trouble }).toEqual({
      isAccepted: false,
      trouble: expect.stringMatching(words),
    })
    expect(trouble).not.toContain('s3cret')
  })

  test('says when some recipients were refused, and is not sent to the others again', async () => {
    const server = await open({ 'RCPT TO:<kim@example.com>': '550 unknown' })
    expect(await sendMessage(mail(server.port), message)).toMatchObject({
      isAccepted: true,
      trouble: 'The mail server refused 1 of 2 recipients. Check their addresses.',
    })
    expect(server.mails).toHaveLength(1)
  })

  test('a refused sign-in names neither user nor password', async () => {
    const server = await open({ AUTH: '535 wrong: pa55word' })
    const given = mail(server.port, { user: 'ada-lovelace' }, { password: 'pa55word' })
    const { trouble } = await sendMessage(given, message)
    expect(trouble).toMatch(/refused the user name or the password \(535\)/)
    expect(trouble).not.toMatch(/ada-lovelace|pa55word/)
    expect(server.mails).toEqual([])
  })

  test('without STARTTLS, or with a certificate that nobody vouches for, nothing is said', async () => {
    const plain = await open()
    const pem = await readFile('tests/support/self-signed.pem')
    const unknown = await open({}, pem)
    const [first, second] = await Promise.all(
      [plain, unknown].map(({ port }) =>
        sendMessage(
          mail(port, { security: 'starttls', user: 'ada' }, { password: 'pa55word' }),
          message,
        ),
      ),
    )
    expect(first?.trouble).toMatch(/does not offer STARTTLS/)
    expect(second?.trouble).toMatch(/certificate of the mail server is not trusted/)
    const said = [...plain.said, ...unknown.said].map((line) => line.split(' ')[0])
    expect(new Set(said)).toEqual(new Set(['EHLO', 'STARTTLS']))
  })

  test('an address that nobody allowed, or where nobody listens, is not reached', async () => {
    const server = await open()
    const closed = mail(server.port, {}, { privateAddressAllowed: false })
    expect((await sendMessage(closed, message)).trouble).toContain('so it is blocked')
    const named = mail(server.port, { host: 'localhost' }, { privateAddressAllowed: false })
    expect((await sendMessage(named, message)).trouble).toContain('so it is blocked')
    expect(server.said).toEqual([])
    expect((await sendMessage(mail(1), message)).trouble).toMatch(/No server is listening/)
  })
})
