import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { ProbeAnswer, Probed, ProbeQuestion } from '@/tests/support/egress-probe'
import { mayHaveNetwork, runApart } from '@/tests/support/network-of-its-own'

const port = 8080
const open = '93.184.216.34'

/** Addresses that a connection never reaches, and those that it reaches where an admin allowed private ones. */
const never = [
  '169.254.169.254',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.2.1',
  '198.51.100.1',
  '203.0.113.1',
  '192.0.0.8',
  '240.0.0.1',
  'fd00:ec2::254',
  'fe80::1',
  '2001:db8::1',
]
const privates = ['10.0.0.5', '172.16.0.1', '192.168.1.1', '100.64.0.1', '198.18.0.1', 'fd00::1']
/** A TCP server cannot have it, so nothing answers there. */
const multicast = '224.0.0.1'
const everyAddress = [open, ...privates, ...never]

const bracketed = (address: string) => (address.includes(':') ? `[${address}]` : address)
const urlOf = (host: string, more = '') => `http://${host}:${port}/${more}`
const viaOpen = (host: string) => urlOf(open, `?to=${encodeURIComponent(urlOf(host))}`)

/** 10.0.0.5 and 127.0.0.1 as they may be written, too. */
const spellings = {
  private: [
    '167772165',
    '012.0.0.05',
    '0x0a000005',
    '0xa.0.0.5',
    '10.5',
    '10.0.5',
    '[::ffff:10.0.0.5]',
    '[::ffff:a00:5]',
    '[0:0:0:0:0:ffff:10.0.0.5]',
    '10。0。0。5',
  ],
  machine: ['127.0.0.1', '127.1', '2130706433', '017700000001', '[::1]', '[::ffff:127.0.0.1]'],
  never: ['0.0.0.0', '0', '[::]', '2852039166', '0xa9fea9fe', '[::ffff:169.254.169.254]'],
}

const names = {
  'open.test': [open],
  'private.test': ['10.0.0.5'],
  'metadata.test': ['169.254.169.254'],
  'mixed.test': [open, '169.254.169.254'],
  'rebound.test': [open],
}

const hosts = never.map(bracketed)
const urls = {
  open: [urlOf(open), urlOf('open.test')],
  private: [...privates.map(bracketed), ...spellings.private, 'private.test'].map((host) =>
    urlOf(host),
  ),
  machine: spellings.machine.map((host) => urlOf(host)),
  never: [...hosts, multicast, ...spellings.never, 'metadata.test', 'mixed.test'].map((host) =>
    urlOf(host),
  ),
  toPrivate: ['10.0.0.5', '0x0a000005', '[fd00::1]', 'private.test'].map(viaOpen),
  toNever: [...hosts, 'metadata.test', '[::ffff:169.254.169.254]'].map(viaOpen),
  rebound: [urlOf('rebound.test', '?rebind=169.254.169.254')],
}

describe.skipIf(!mayHaveNetwork())('in a network where every address answers', () => {
  let folder: string
  let probed: Probed

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'egress-apart-'))
    const file = path.join(folder, 'hosts')
    writeFileSync(file, '')
    const question: ProbeQuestion = {
      hosts: file,
      port,
      names,
      open: everyAddress.filter((address) => address !== 'fe80::1'),
      urls: Object.values(urls).flat(),
    }
    const program = path.join(inject('programs'), 'egress-probe.mjs')
    const node = [process.execPath, '--conditions=react-server', '--liftoff-only', program]
    const said = await runApart({
      addresses: [...everyAddress, multicast].map((address) =>
        address.includes(':') ? `${address}/128 nodad` : `${address}/32`,
      ),
      hosts: file,
      command: [...node, JSON.stringify(question)],
    })
    probed = JSON.parse(said)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const reached = (at: string[]): ProbeAnswer => ({ ended: 'reached', at })
  const blocked = (at: string[] = []) => [
    { ended: 'blocked', at },
    { ended: 'blocked', at },
    at.length > 0 ? reached(at) : { ended: 'egress', at },
  ]

  test('a connection that is not checked reaches each of them', () => {
    expect(Object.values(probed.open)).toEqual(Object.values(probed.open).map(() => true))
    expect(Object.keys(probed.open)).toHaveLength(everyAddress.length - 1)
  })

  test.each(['never', 'allowed'] as const)(
    'private addresses %s: a public one is reached, by address and by name',
    (rule) => {
      for (const url of urls.open) {
        expect(probed.answers[rule][url], url).toEqual(Array(3).fill(reached([open])))
      }
    },
  )

  test('no private address and no address of this machine is reached, however it is written', () => {
    for (const url of [...urls.private, ...urls.machine]) {
      expect(probed.answers.never[url], url).toEqual(blocked())
    }
    for (const url of urls.toPrivate)
      expect(probed.answers.never[url], url).toEqual(blocked([open]))
  })

  test('private addresses are reached where an admin allowed it, so the other tests can fail', () => {
    for (const url of [...urls.private, ...urls.machine]) {
      const ended = probed.answers.allowed[url]?.map((answer) => answer.ended)
      expect(ended, url).toEqual(['reached', 'reached', 'reached'])
    }
  })

  test.each(['never', 'allowed'] as const)(
    'private addresses %s: link-local, reserved and metadata addresses are not reached, nor by a redirect',
    (rule) => {
      for (const url of urls.never) expect(probed.answers[rule][url], url).toEqual(blocked())
      for (const url of urls.toNever) {
        expect(probed.answers[rule][url], url).toEqual(blocked([open]))
      }
    },
  )

  test.each(['never', 'allowed'] as const)(
    'private addresses %s: a name that leads elsewhere after the first answer is not followed',
    (rule) => {
      for (const url of urls.rebound) {
        expect(probed.answers[rule][url], url).toEqual([
          reached([open]),
          { ended: 'blocked', at: [] },
          { ended: 'egress', at: [] },
        ])
      }
    },
  )
})
