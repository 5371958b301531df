import { expect, it } from 'vitest'
import { connectionPresets } from './presets'
import { ConnectionFacts, CreateConnection } from './schemas'
import { completeSettings } from './shared/connection-settings'

it.each(connectionPresets)(
  '$id fills a form that can be saved, and says where it is from',
  (preset) => {
    const { label: name, wire, trustZone, privateAddressAllowed } = preset
    const baseUrl = preset.baseUrl?.replace('YOUR-RESOURCE-NAME', 'acme') ?? null
    const typed = { region: 'eu-central-1', accessKeyId: 'AKIDEXAMPLE012345', project: 'acme' }
    const form = {
      name,
      wire,
      baseUrl,
      settings: completeSettings(wire, { ...typed, ...preset.settings }),
      trustZone,
      privateAddressAllowed,
      organisation: null,
      connectTimeoutMs: null,
      firstByteTimeoutMs: null,
      idleTimeoutMs: null,
      maxTries: 3,
    }
    // Stored as it is shown: a slash at its end would be removed.
    expect(ConnectionFacts.parse(form)).toEqual(form)
    expect(URL.canParse(preset.source) && Date.parse(preset.checkedOn) > 0).toBe(true)
  },
)

it('has each endpoint once', () => {
  expect(new Set(connectionPresets.map(({ id }) => id)).size).toBe(connectionPresets.length)
})

it('asks for the part that is everybody’s own', () => {
  const azure = connectionPresets.find(({ id }) => id === 'azure-openai')
  const { baseUrl, wire, trustZone } = azure ?? {}
  const form = CreateConnection.safeParse({ name: 'Azure', wire, trustZone, baseUrl })
  expect(form.error?.issues).toMatchObject([
    { path: ['baseUrl'], message: 'Replace the part in capital letters with your own name.' },
  ])
})
