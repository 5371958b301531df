'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { sendAction } from '@/components/forms/send-action'
import { countOf } from '@/components/trace/count-of'
import { Button } from '@/components/ui/button'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Textarea } from '@/components/ui/textarea'
import { useToast } from '@/components/ui/toast'
import { applySiteFile, compareSiteFile } from './actions'
import { PlanList } from './plan-list'
import type { PlanView } from './plan-view'

type Compared = { text: string; plan: PlanView; fingerprint: string }

/** Takes a file, shows what it would change, and then changes it. */
export function SiteFileForm({ initialText }: { initialText: string }) {
  const [text, setText] = useState(initialText)
  const [compared, setCompared] = useState<Compared | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  const compare = async () => {
    setBusy(true)
    setError(null)
    const result = await sendAction(() => compareSiteFile({ text }))
    setBusy(false)
    if (!result.ok) return setError(result.error.message)
    setCompared({ text, ...result.value })
  }
  const take = async (file: File | undefined) => {
    if (!file) return
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
        <Field id="site-file" label="File" optional>
          {(control) => (
            <Input
              {...control}
              type="file"
              accept=".yaml,.yml,text/yaml,application/yaml"
              onChange={(event) => void take(event.target.files?.[0])}
            />
          )}
        </Field>
        <Field id="site-text" label="What it says">
          {(control) => (
            <Textarea
              {...control}
              className="min-h-48 font-mono text-mono"
              spellCheck={false}
              value={text}
              onChange={(event) => {
                setText(event.target.value)
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
          onDone={() => {
            setCompared(null)
            setText('')
          }}
        />
      )}
    </div>
  )
}

/** The plan, and the button that carries out exactly it. */
function Agreement({ compared, onDone }: { compared: Compared; onDone: () => void }) {
  const router = useRouter()
  const toast = useToast()
  const [reason, setReason] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const { plan, text, fingerprint } = compared
  const changes = countOf(plan.steps.length, 'change')

  const apply = async () => {
    setBusy(true)
    setError(null)
    const result = await sendAction(() => applySiteFile({ text, fingerprint, reason }))
    setBusy(false)
    router.refresh()
    if (!result.ok) return setError(result.error.message)
    toast({ tone: 'ok', title: `${countOf(result.value.steps, 'change')} applied` })
    onDone()
  }
  return (
    <section aria-labelledby="plan" className="flex flex-col gap-4">
      <h2 id="plan" className="text-lg">
        What it would change
      </h2>
      <PlanList plan={plan} />
      {plan.steps.length > 0 && plan.problems.length === 0 && (
        <form
          className="flex max-w-160 flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            void apply()
          }}
        >
          <Field id="site-reason" label="Reason" hint="Kept with each change and in the audit.">
            {(control) => (
              <Input
                {...control}
                required
                maxLength={500}
                autoComplete="off"
                value={reason}
                onChange={(event) => setReason(event.target.value)}
              />
            )}
          </Field>
          {error && <ErrorNotice title="Not everything was applied">{error}</ErrorNotice>}
          <Button type="submit" variant="primary" loading={busy} className="self-start">
            Apply {changes}
          </Button>
        </form>
      )}
    </section>
  )
}
