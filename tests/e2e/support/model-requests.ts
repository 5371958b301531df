import type { ServedRequest } from '@/tests/support/model-server/scripted-turn'
import { readSite } from './site'

/** Returns what the model server was sent for the prompts that contain `mark`, in order. */
export async function modelRequests(mark: string): Promise<ServedRequest[]> {
  const response = await fetch(`${readSite().modelUrl}/__requests`)
  const all: ServedRequest[] = await response.json()
  return all.filter((request) => request.prompt.includes(mark))
}

/** Returns a word that only this test's prompts contain. */
export function newMark(): string {
  return `mark-${Math.random().toString(36).slice(2, 10)}`
}

/** Lets the answers end whose prompts say `[[until NAME]]`. */
export async function openGate(name: string): Promise<void> {
  const body = JSON.stringify({ name })
  await fetch(`${readSite().modelUrl}/__open`, { method: 'POST', body })
}
