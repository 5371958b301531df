'use client'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { sendAction } from '@/components/forms/use-act'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/textarea'
import { useToast } from '@/components/ui/toast'
import { type ConfiguredServer, readMcpConfig } from '@/lib/domains/servers/shared/mcp-config'
import { countOf } from '@/lib/words/format'
import { addConfiguredServers } from './actions'

const example = `{
  "mcpServers": {
    "files": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/srv/docs"] }
  }
}`

/** Adds the servers of an mcp.json that is pasted. What is in it is shown before anything is added. */
export function PasteConfig({ onClose }: { onClose: () => void }) {
  const router = useRouter()
  const toast = useToast()
  const [text, setText] = useState('')
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [added, setAdded] = useState<readonly Added[]>([])
  const found = text.trim() === '' ? null : readMcpConfig(text)
  const usable = Array.isArray(found) ? found.filter(({ problem }) => problem === null) : []
  const add = async () => {
    setBusy(true)
    const result = await sendAction(() => addConfiguredServers({ text }))
    setBusy(false)
    if (!result.ok) return setFailure(result.error.message)
    const stored = result.value.flatMap(({ id, name }) => (id === null ? [] : [{ id, name }]))
    const refused = result.value.filter(({ id, problem }) => id === null && problem !== null)
    router.refresh()
    setAdded(stored)
    if (refused.length > 0) {
      return setFailure(refused.map(({ name, problem }) => `${name}: ${problem}`).join(' '))
    }
    setFailure(null)
    toast({ tone: 'ok', title: `Added ${stored.map(({ name }) => name).join(', ')}` })
    const [first, second] = stored
    if (second) return
    onClose()
    if (first) router.push(`/servers/${first.id}`)
  }
  if (added.length > 0 && failure === null) {
    return (
      <Dialog
        open
        onOpenChange={(open) => !open && onClose()}
        title={`Added ${countOf(added.length, 'server')}`}
        description="Connect and review each."
        footer={<Button onClick={onClose}>Later</Button>}
      >
        <AddedServers added={added} />
      </Dialog>
    )
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Paste an mcp.json"
      description="Headers and variables go into the vault; keys in arguments stay readable."
      className="max-w-2xl"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            loading={busy}
            disabled={usable.length === 0}
            onClick={() => void add()}
          >
            {usable.length === 0 ? 'Add servers' : `Add ${countOf(usable.length, 'server')}`}
          </Button>
        </>
      }
    >
      <Field
        id="mcp-config"
        label="Text of the file"
        {...(typeof found === 'string' && { error: found })}
      >
        {(control) => (
          <Textarea
            {...control}
            rows={10}
            spellCheck={false}
            className="max-h-60 font-mono text-mono"
            placeholder={example}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      {Array.isArray(found) && <FoundServers found={found} />}
      {failure !== null && <ErrorNotice title="Not every server was added">{failure}</ErrorNotice>}
      <AddedServers added={added} />
    </Dialog>
  )
}

type Added = { id: string; name: string }

/** Leads to the next step with each server that was added. */
function AddedServers({ added }: { added: readonly Added[] }) {
  if (added.length === 0) return null
  return (
    <ul className="flex flex-col gap-2">
      {added.map(({ id, name }) => (
        <li key={id} className="flex flex-wrap items-center justify-between gap-3">
          <strong className="[overflow-wrap:anywhere]">{name}</strong>
          <Button asChild size="sm">
            <Link href={`/servers/${id}`}>
              Connect and review <span className="sr-only">{name}</span>
            </Link>
          </Button>
        </li>
      ))}
    </ul>
  )
}

function FoundServers({ found }: { found: readonly ConfiguredServer[] }) {
  return (
    <ul className="flex flex-col gap-2">
      {found.map(({ name, url, command, cwd, secrets, notes, problem }) => (
        <li key={name} className="flex flex-col">
          <strong>{name}</strong>
          <code className="font-mono text-mono text-muted [overflow-wrap:anywhere]">
            <VisibleText text={url ?? command ?? ''} />
          </code>
          {[
            ...(cwd === null ? [] : [`Works in ${cwd}.`]),
            ...(secrets.length === 0 ? [] : [`Into the vault: ${secrets.join(', ')}.`]),
            ...notes,
          ].map((note) => (
            <span key={note} className="text-muted [overflow-wrap:anywhere]">
              <VisibleText text={note} />
            </span>
          ))}
          {problem !== null && (
            <span className="text-warning">
              <VisibleText text={problem} />
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
