import { z } from 'zod'

const settingsKey = 'toolgate.playground'
const promptKey = 'toolgate.playground.prompt'

const Settings = z.object({
  configurationId: z.string().nullable(),
  tools: z.array(z.string()).nullable(),
  maxRounds: z.string(),
})

/** What the Playground remembers on this computer, across tabs and visits. */
export type PlaygroundSettings = z.infer<typeof Settings>

/** Returns null when nothing valid is stored or the browser refuses its storage. */
export function recallSettings(): PlaygroundSettings | null {
  const text = read(() => localStorage, settingsKey)
  if (text === null) return null
  try {
    return Settings.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

export function rememberSettings(settings: PlaygroundSettings): void {
  write(() => localStorage, settingsKey, JSON.stringify(settings))
}

/** Returns the prompt that is being written. It may be private, so it is stored for this tab only. */
export function recallPrompt(): string {
  return read(() => sessionStorage, promptKey) ?? ''
}

export function rememberPrompt(prompt: string): void {
  write(() => sessionStorage, promptKey, prompt)
}

function read(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(key)
  } catch {
    return null
  }
}

function write(storage: () => Storage, key: string, value: string): void {
  try {
    storage().setItem(key, value)
  } catch {
    // Storage is full or forbidden. Then nothing is remembered; nothing else depends on it.
  }
}
