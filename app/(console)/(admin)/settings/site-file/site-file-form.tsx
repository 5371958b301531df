'use client'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useUnsavedGuard } from '@/components/forms/may-leave'
import { sendAction } from '@/components/forms/use-act'
import { Button } from '@/components/ui/button'
import { fileStyles } from '@/components/ui/control-styles'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Textarea } from '@/components/ui/textarea'
import type { ActionResult } from '@/lib/next/action'
import { Agreement, type Apply } from './agreement'
import { mostSiteBytes, tooLarge } from './most-site-bytes'
import type { PlanView } from './plan-view'

type Props = {
  initialText: string
  onCompare?: Compare
  onApply?: Apply
}

/** Uploads a site file, shows its plan, and applies it. */
export function SiteFileForm({
  initialText,
  onCompare = compareSiteFile,
  onApply = applySiteFile,
}: Props) {
  const [text, setText] = useState(initialText)
  const [applied, setApplied] = useState(initialText)
  const [compared, setCompared] = useState<Parameters<typeof Agreement>[0]['compared'] | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  useUnsavedGuard(text !== applied)

  const compare = async () => {
    if (new Blob([text]).size > mostSiteBytes) return setError(tooLarge)
    setBusy(true)
    setError(null)
    const result = await sendAction(() => onCompare({ text }))
    setBusy(false)
    if (!result.ok) return setError(result.error.message)
    // Rendered at once, so that the heading to focus exists.
    flushSync(() => setCompared({ text, ...result.value }))
    heading.current?.focus()
  }
  const take = async (file: File | undefined) => {
    if (!file) return
    if (file.size > mostSiteBytes) return setError(tooLarge)
    setError(null)
    setText(await file.text())
    setCompared(null)
  }
  return (
    <div className="flex flex-col gap-6">
      <form
        className="flex max-w-160 flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          void compare()
        }}
      >
        <Field id="site-file" label="File" hint="Or paste its text below.">
          {(control) => (
            <Input
              {...control}
              type="file"
              className={fileStyles}
              accept=".yaml,.yml,text/yaml,application/yaml"
              onChange={(event) => void take(event.target.files?.[0])}
            />
          )}
        </Field>
        <Field id="site-text" label="Text of the file">
          {(control) => (
            <Textarea
              {...control}
              most={mostSiteBytes}
              className="max-h-[60vh] min-h-48 font-mono text-mono"
              spellCheck={false}
              value={text}
              onChange={(event) => {
                setText(event.target.value)
                setError(null)
                setCompared(null)
              }}
            />
          )}
        </Field>
        {error && <ErrorNotice title="The file cannot be compared">{error}</ErrorNotice>}
        <Button type="submit" variant="primary" loading={busy} className="self-start">
          Compare
        </Button>
      </form>
      {compared && (
        <Agreement
          compared={compared}
          heading={heading}
          onApply={onApply}
          onCompareAgain={compare}
          onDone={() => {
            setCompared(null)
            setText('')
            setApplied('')
          }}
        />
      )}
    </div>
  )
}

type Compare = (input: {
  text: string
}) => Promise<ActionResult<{ plan: PlanView; fingerprint: string }>>

/** Sends a site file to a route of its own, because it may be larger than a server action accepts. */
const compareSiteFile: Compare = (input) => send('compare', input)
const applySiteFile: Apply = (input) => send('apply', input)

/** Sends to a site-file route. Rejects when the server cannot be reached or understood, which `sendAction` handles. */
async function send<T>(route: 'compare' | 'apply', input: object): Promise<ActionResult<T>> {
  const response = await fetch(`/api/site-file/${route}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
  })
  const answer = await response.json()
  if (response.ok) return { ok: true, value: answer }
  const code = String(answer.type).replace('urn:toolgate:problem:', '')
  return { ok: false, error: { code, message: String(answer.detail), fields: answer.errors } }
}
