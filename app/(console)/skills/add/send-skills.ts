import type { ImportResult } from '@/lib/skills/import-skills'
import type { ImportSource } from '@/lib/skills/schemas'

export type SendResult = { ok: true; value: ImportResult } | { ok: false; message: string }

/** Sends a file or a text as it is; `confirmed` is what the person agreed to, null at first. */
export async function sendSkills(
  source: ImportSource,
  content: Blob | string,
  confirmed: string | null,
): Promise<SendResult> {
  const query = new URLSearchParams({ source, ...(confirmed !== null && { confirmed }) })
  try {
    const response = await fetch(`/api/skills/import?${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: content,
    })
    const answer = await response.json()
    if (response.ok) return { ok: true, value: answer }
    return { ok: false, message: String(answer.detail) }
  } catch {
    return { ok: false, message: 'The server did not answer. Check the connection and try again.' }
  }
}
