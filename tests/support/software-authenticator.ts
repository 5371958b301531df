import {
  createHash,
  createSign,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import type { NewPasskey, PasskeyEnrolment } from '@/lib/auth/factors/enrol-passkey'
import type { PasskeyAnswer, PasskeyRequest } from '@/lib/auth/factors/verify-passkey'

const userPresent = 0x01
const userVerified = 0x04
const hasCredential = 0x40

/** Claims of a browser and its authenticator in a ceremony; change it to lie. */
export type Ceremony = { origin: string; rpId: string; verified: boolean; counter?: number }

/** The site of the tests (TOOLGATE_URL), and a person who was recognised. */
export const thisSite: Ceremony = {
  origin: 'http://localhost:3000',
  rpId: 'localhost',
  verified: true,
}

/** One passkey (ES256) in memory, as an authenticator keeps it. */
export class SoftwareAuthenticator {
  readonly id = randomBytes(24)
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  private counter = 0
  private userHandle = ''

  constructor(readonly site: Ceremony) {}

  /** Answers `navigator.credentials.create`. */
  create(options: PasskeyEnrolment, lie: Partial<Ceremony> = {}): NewPasskey['answer'] {
    this.userHandle = options.user.id
    const ceremony = { ...this.site, ...lie }
    const data = Buffer.concat([
      this.authenticatorData(ceremony, hasCredential),
      Buffer.alloc(16),
      Buffer.from([this.id.length >> 8, this.id.length & 0xff]),
      this.id,
      coseKey(this.keys.publicKey),
    ])
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      text('fmt'),
      text('none'),
      text('attStmt'),
      Buffer.from([0xa0]),
      text('authData'),
      Buffer.from([0x59, data.length >> 8, data.length & 0xff]),
      data,
    ])
    return {
      ...this.head(),
      response: {
        clientDataJSON: clientData('webauthn.create', options.challenge, ceremony.origin),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  /** Answers `navigator.credentials.get`. */
  get(options: PasskeyRequest, lie: Partial<Ceremony> = {}): PasskeyAnswer {
    const ceremony = { ...this.site, ...lie }
    this.counter += 1
    const data = this.authenticatorData(ceremony, 0)
    const client = clientData('webauthn.get', options.challenge, ceremony.origin)
    const signed = Buffer.concat([data, sha256(Buffer.from(client, 'base64url'))])
    return {
      ...this.head(),
      response: {
        clientDataJSON: client,
        authenticatorData: data.toString('base64url'),
        signature: createSign('sha256').update(signed).sign(this.keys.privateKey, 'base64url'),
        userHandle: this.userHandle,
      },
    }
  }

  private head() {
    const id = this.id.toString('base64url')
    return { id, rawId: id, type: 'public-key' as const }
  }

  private authenticatorData({ rpId, verified, counter }: Ceremony, more: number): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter ?? this.counter)
    const flags = userPresent | (verified ? userVerified : 0) | more
    return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([flags]), count])
  }
}

function clientData(type: string, challenge: string, origin: string): string {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString(
    'base64url',
  )
}

function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
    Buffer.from(x, 'base64url'),
    Buffer.from([0x22, 0x58, 0x20]),
    Buffer.from(y, 'base64url'),
  ])
}

/** Returns a CBOR text of less than 24 characters. */
function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}
