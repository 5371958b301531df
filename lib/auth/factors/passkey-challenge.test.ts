import { describe, expect, it } from 'vitest'
import { passkeySite } from './passkey-challenge'

const at = (TOOLGATE_URL: string, PORT?: number) => passkeySite({ TOOLGATE_URL, PORT })

describe('where passkeys are available', () => {
  it('is an https address with a name, for its own origin alone', () => {
    expect(at('https://tools.example.org/console', 3000)).toEqual({
      type: 'available',
      rpId: 'tools.example.org',
      origins: ['https://tools.example.org'],
    })
  })

  it('is localhost, also at the port that this process listens on', () => {
    expect(at('http://localhost:3000')).toMatchObject({ origins: ['http://localhost:3000'] })
    expect(at('http://localhost:3000', 8080)).toEqual({
      type: 'available',
      rpId: 'localhost',
      origins: ['http://localhost:3000', 'http://localhost:8080'],
    })
  })

  it.each([
    'http://tools.example.org',
    'http://127.0.0.1:3000',
    'https://10.0.0.7',
    'https://[::1]:3000',
    'http://localhost.example.org',
  ])('is nowhere else, and the reason names the address: %s', (address) => {
    const site = at(address, 3000)
    expect(site.type).toBe('unavailable')
    expect(site).toMatchObject({ reason: expect.stringContaining(new URL(address).origin) })
  })
})
