'use client'
import type { ConnectionPreset } from '@toolgate/server/domains/connections/presets'
import { useState } from 'react'
import { ConnectForm, type StoredConnection } from './connect-form'
import { type Done, FirstRun } from './first-run'

/** Shows the form, and in its place the first run once everything is added. */
export function Connect({
  preset,
  stored,
}: {
  preset: ConnectionPreset | null
  stored: StoredConnection | null
}) {
  const [done, setDone] = useState<Done | null>(null)
  if (done) return <FirstRun {...done} onUndone={() => setDone(null)} />
  return <ConnectForm preset={preset} stored={stored} onDone={setDone} />
}
