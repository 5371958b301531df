'use client'
import type { ImportResult } from '@toolgate/server/domains/skills/bring-skills'
import type { ImportSource } from '@toolgate/server/domains/skills/schemas'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useToast } from '@/components/ui/toast'
import { type DroppedFiles, droppedWords } from '@/lib/domains/skills/shape'
import { visibleText } from '@/lib/words/clean-text'
import { countOf } from '@/lib/words/format'
import { ConfirmChanges, effectWords } from './confirm-changes'
import { SkillSourceForm } from './skill-source-form'

type Given = { source: ImportSource; content: Blob | string }
type Result = ImportResult & { dropped: DroppedFiles }
type Asked = Given & Extract<Result, { type: 'confirm' }>

/** Adds skills. When one already exists, shows the differences and asks first. */
export function AddSkills() {
  const router = useRouter()
  const toast = useToast()
  const [pending, setPending] = useState<Asked | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  const send = async (given: Given, confirmed: string | null) => {
    setBusy(true)
    setError(null)
    const result = await sendSkills(given.source, given.content, confirmed)
    setBusy(false)
    if (!result.ok) return setError(result.message)
    if (result.value.type === 'confirm') return setPending({ ...given, ...result.value })
    const { effects, dropped } = result.value
    const description = [...effectWords(effects), ...droppedWords(dropped)]
      .map(visibleText)
      .join(' ')
    // The notice about refused skills stays until it is closed.
    const tone = dropped.refused.length > 0 ? 'error' : 'ok'
    toast({ tone, title: doneWords(result.value), description })
    router.push(placeOf(result.value))
  }
  return (
    <>
      <SkillSourceForm
        hidden={pending !== null}
        busy={busy}
        error={error}
        onSubmit={(given) => send(given, null)}
      />
      {pending && (
        <ConfirmChanges
          changes={pending.changes}
          effects={pending.effects}
          dropped={pending.dropped}
          busy={busy}
          error={error}
          onConfirm={() => send(pending, pending.fingerprint)}
          onBack={() => {
            setPending(null)
            setError(null)
          }}
        />
      )}
    </>
  )
}

type Done = Extract<Result, { type: 'done' }>

/** Returns the page to go to: of one skill its own, of several the list. */
function placeOf({ added, changed, unchanged }: Done): string {
  const [first, ...others] = [...added, ...changed, ...unchanged]
  return first && others.length === 0 ? `/skills/${first.id}` : '/skills'
}

function doneWords({ added, changed, unchanged, dropped }: Done): string {
  const said = [
    added.length > 0 && `${countOf(added.length, 'skill')} added`,
    changed.length > 0 && `${countOf(changed.length, 'skill')} changed`,
    unchanged.length > 0 && `${countOf(unchanged.length, 'skill')} unchanged`,
    dropped.refused.length > 0 && `${countOf(dropped.refused.length, 'file')} not taken`,
  ]
  return said.filter(Boolean).join(', ')
}

type SendResult = { ok: true; value: Result } | { ok: false; message: string }

/** Sends a file or a text as it is; `confirmed` is what the person agreed to, null at first. */
async function sendSkills(
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
    return { ok: false, message: 'The server did not answer. Try again.' }
  }
}
