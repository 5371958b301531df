import { describe, expect, it, test } from 'vitest'
import {
  type AddressClass,
  classifyAddress,
  isPublicHost,
  soundsInternal,
} from './classify-address'

const known: Record<AddressClass, string[]> = {
  public: [
    '8.8.8.8',
    '100.63.255.255',
    '172.32.0.1',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
    '2002:808:808::1',
  ],
  private: [
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    'fd12::1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    '2002:c0a8:101::',
  ],
  loopback: ['127.0.0.1', '127.255.255.254', '::1', '::ffff:7f00:1', '2002:7f00:1::'],
  'link-local': [
    '169.254.169.254',
    'fe80::1',
    'febf::1',
    '::ffff:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::',
  ],
  forbidden: [
    '0.0.0.0',
    '0.1.2.3',
    '224.0.0.1',
    '255.255.255.255',
    '100.100.100.200',
    '168.63.129.16',
    'fd00:ec2::23',
    'fd00:ec2::254',
    'fd00:c1::a9fe:a9fe',
    'fd00:42::42',
    'fd20:ce::254',
    '::',
    'ff02::1',
    '::ffff:0.0.0.0',
    '64:ff9b::e000:1',
    '64:ff9b:1::1',
    '::127.0.0.1',
    '2001::1',
    '2001:db8::1',
    '4000::1',
    'fe80::1%eth0',
    '127.1',
    'localhost',
    '',
  ],
}

describe('classifyAddress', () => {
  it.each(Object.entries(known))('knows %s addresses', (name, addresses) => {
    const found = addresses.map((address) => [address, classifyAddress(address)])
    expect(found).toEqual(addresses.map((address) => [address, name]))
  })
})

test.each([
  ['8.8.8.8', true],
  ['[2606:4700::1111]', true],
  ['10.1.2.3', false],
  ['192.168.1.5', false],
  ['127.0.0.1', false],
  ['[::1]', false],
  ['169.254.1.1', false],
  ['[::ffff:10.0.0.1]', false],
  ['[::ffff:8.8.8.8]', true],
  ['localhost', false],
  ['no-such-host.invalid', true],
  ['no-such-host.internal', false],
])('%s is public: %s', async (host, answer) => {
  expect(await isPublicHost(host)).toBe(answer)
})

test.each([
  ['rack', true],
  ['models.local', true],
  ['models.internal', true],
  ['models.home.arpa', true],
  ['localhost', true],
  ['local.example.com', false],
  ['internal.example.com', false],
  ['notlocal', true],
  ['models.example.com', false],
])('%s sounds internal: %s', (name, answer) => {
  expect(soundsInternal(name)).toBe(answer)
})
