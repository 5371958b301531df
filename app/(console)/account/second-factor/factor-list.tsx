'use client'
import type { FactorListing } from '@toolgate/server/auth/factors/second-factor'
import { Fingerprint, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { ConfirmDialog } from '@/components/forms/confirm-dialog'
import { FormDialog } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { AddedAndUsed } from '@/components/ui/relative-time'
import { remove, rename } from './actions'

type Question = { ask: 'rename' | 'remove'; factor: FactorListing } | null

const kindWords = { passkey: 'Passkey', app: 'Authenticator app' } as const

/** Shows the reader's second factors, which can be renamed and removed. */
export function FactorList({ factors, required }: { factors: FactorListing[]; required: boolean }) {
  const [question, setQuestion] = useState<Question>(null)
  const close = () => setQuestion(null)
  return (
    <>
      <ul className="divide-y rounded-md border bg-surface-1">
        {factors.map((factor) => (
          <li key={factor.id} className="flex flex-wrap items-center gap-3 px-3 py-2">
            <Facts factor={factor} />
            <div className="flex gap-2">
              <Button size="sm" onClick={() => setQuestion({ ask: 'rename', factor })}>
                Rename<span className="sr-only"> {factor.name}</span>
              </Button>
              <Button size="sm" onClick={() => setQuestion({ ask: 'remove', factor })}>
                Remove<span className="sr-only"> {factor.name}</span>
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {question?.ask === 'rename' && <Rename factor={question.factor} onClose={close} />}
      {question?.ask === 'remove' && (
        <Remove
          factor={question.factor}
          last={factors.length === 1}
          required={required}
          onClose={close}
        />
      )}
    </>
  )
}

function Facts({ factor: { kind, name, createdAt, lastUsedAt } }: { factor: FactorListing }) {
  const Icon = kind === 'passkey' ? Fingerprint : Smartphone
  return (
    <>
      <Icon className="size-4 shrink-0 text-muted" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="text-strong [overflow-wrap:anywhere]">
          <VisibleText text={name} />
        </p>
        <p className="flex flex-wrap gap-x-3 text-muted text-sm">
          <span>{kindWords[kind]}</span>
          <AddedAndUsed at={createdAt} usedAt={lastUsedAt} />
        </p>
      </div>
    </>
  )
}

function Rename({ factor, onClose }: { factor: FactorListing; onClose: () => void }) {
  const { kind, id, name } = factor
  const form = useActionForm({
    values: { name },
    send: (typed) => rename({ kind, id, ...typed }),
    done: 'Name saved',
    onDone: onClose,
  })
  return (
    <FormDialog form={form} title={`Rename ${name}`} button="Rename" onClose={onClose}>
      <FormField name="name" shape={{ kind: 'text', label: 'Name' }} />
    </FormDialog>
  )
}

function Remove({
  factor: { kind, id, name },
  last,
  required,
  onClose,
}: {
  factor: FactorListing
  last: boolean
  required: boolean
  onClose: () => void
}) {
  return (
    <ConfirmDialog
      title={`Remove ${name}`}
      failed="Not removed"
      done={`Removed ${name}`}
      send={() => remove({ kind, id })}
      onClose={onClose}
    >
      {wordsOf(last, required)}
    </ConfirmDialog>
  )
}

function wordsOf(last: boolean, required: boolean): string {
  if (!last) return 'It no longer signs you in.'
  return required
    ? 'Your last one, and this site requires one. Add another first.'
    : 'Your last one: recovery codes stop working, and your password alone signs you in.'
}
