'use client'
import { useState } from 'react'
import {
  type FormSpec,
  NewResourceForm,
  type ReferenceChoices,
} from '@/components/resource/resource-form'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { SearchInput } from '@/components/ui/search-input'
import { servers } from '@/lib/domains/servers/shape'
import { askedWords, filledFrom, missingOf } from '@/lib/domains/servers/shared/fill-known-server'
import { type KnownServer, knownServers } from '@/lib/domains/servers/shared/known-servers'
import { matchesSearch } from '@/lib/words/matches-search'
import { serverForm } from './server-form'

/** Adds a well-known server: the one that is picked fills in the form, and what a person has to give is empty in it. */
export function KnownServers({
  choices,
  onClose,
}: {
  choices: ReferenceChoices
  onClose: () => void
}) {
  const [picked, setPicked] = useState<KnownServer | null>(null)
  if (!picked) return <KnownServersDialog onPick={setPicked} onClose={onClose} />
  return (
    <NewResourceForm resource={servers} spec={formOf(picked)} choices={choices} onClose={onClose} />
  )
}

/** Returns the form of a new server as a known one fills it in. It is not sent before all that is asked for is given. */
function formOf(known: KnownServer): FormSpec<typeof servers> {
  return {
    ...serverForm.spec,
    start: () => filledFrom(known),
    add: async (input) => {
      const fields = missingOf(known, input)
      const [message] = Object.values(fields)
      if (message === undefined) return serverForm.spec.add(input)
      return { ok: false, error: { code: 'invalid-input', message, fields } }
    },
    description: (
      <div className="flex flex-col gap-2">
        <p>
          {known.does} Read on {known.checkedOn} at <SourceLink known={known} />
        </p>
        {known.signsIn && (
          <p className="text-normal">Each person then connects their own account.</p>
        )}
        {known.asks.length > 0 && (
          <p className="text-normal">You still enter: {askedWords(known)}.</p>
        )}
        <p>{serverForm.spec.description}</p>
      </div>
    ),
  }
}

function KnownServersDialog({
  onPick,
  onClose,
}: {
  onPick: (known: KnownServer) => void
  onClose: () => void
}) {
  const [search, setSearch] = useState('')
  const found = knownServers.filter(({ title, does, reached }) =>
    matchesSearch(search, [title, does, placeOf(reached)]),
  )
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Known servers"
      description="Nothing is added or started yet."
      className="max-w-2xl"
      footer={<Button onClick={onClose}>Cancel</Button>}
    >
      <SearchInput label="Search known servers" value={search} onChange={setSearch} />
      {found.length === 0 && <p className="text-muted">No matches</p>}
      <ul className="flex flex-col divide-y">
        {found.map((known) => (
          <li key={known.name} className="flex flex-wrap items-start gap-x-4 gap-y-2 py-3">
            <div className="flex min-w-0 flex-1 basis-64 flex-col gap-0.5">
              <strong className="font-medium text-strong">{known.title}</strong>
              <span>{known.does}</span>
              <code className="font-mono text-mono text-muted [overflow-wrap:anywhere]">
                {placeOf(known.reached)}
              </code>
              <span className="text-muted text-sm [overflow-wrap:anywhere]">
                {known.asks.length > 0 && <>Asks for {askedWords(known)}. </>}
                {known.signsIn && 'Each person signs in there. '}
                Read on {known.checkedOn} at <SourceLink known={known} />
              </span>
            </div>
            <Button size="sm" aria-label={`Pick ${known.title}`} onClick={() => onPick(known)}>
              Pick
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

function placeOf(reached: KnownServer['reached']): string {
  return reached.kind === 'http' ? reached.url : reached.command
}

function SourceLink({ known: { title, source } }: { known: KnownServer }) {
  return (
    <a
      href={source}
      target="_blank"
      rel="noreferrer"
      aria-label={`Documentation of ${title} at ${new URL(source).hostname}`}
      className="text-link hover:underline"
    >
      {new URL(source).hostname}
    </a>
  )
}
