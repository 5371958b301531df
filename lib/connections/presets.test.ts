import { expect, it } from 'vitest'
import { connectionPresets } from './presets'
import { ConnectionFacts } from './schemas'

it.each(connectionPresets)(
  '$id fills a form that can be saved, and says where it is from',
  (preset) => {
    const { label: name, wire, baseUrl, trustZone, privateAddressAllowed } = preset
    const form = {
      name,
      wire,
      baseUrl,
      trustZone,
      privateAddressAllowed,
      organisation: null,
      connectTimeoutMs: null,
      firstByteTimeoutMs: null,
      idleTimeoutMs: null,
      maxTries: 3,
    }
    // Saved as it is shown: an end in / would be taken away.
    expect(ConnectionFacts.parse(form)).toEqual(form)
    expect(URL.canParse(preset.source) && Date.parse(preset.checkedOn) > 0).toBe(true)
  },
)

it('has each endpoint once', () => {
  expect(new Set(connectionPresets.map(({ id }) => id)).size).toBe(connectionPresets.length)
})
