'use client'
import type { ImportSource } from '@toolgate/server/domains/skills/schemas'
import { Upload } from 'lucide-react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useUnsavedGuard } from '@/components/forms/may-leave'
import { Button } from '@/components/ui/button'
import { fileStyles } from '@/components/ui/control-styles'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Textarea } from '@/components/ui/textarea'
import { importShape } from '@/lib/domains/skills/shape'

/** A SKILL.md has up to 1 MiB. */
const mostTextCharacters = 1024 * 1024

const example = `---
name: read-logs
description: How to look for causes in the log
allowed-tools: [fetch_logs]
---
Begin with the newest errors …`

type Given = { source: ImportSource; content: Blob | string }

/** Shows the fields for a file or a text; `hidden` keeps the input while something else is shown. */
export function SkillSourceForm({
  hidden,
  busy,
  error,
  onSubmit,
}: {
  hidden: boolean
  busy: boolean
  error: string | null
  onSubmit: (given: Given) => void
}) {
  const id = useId()
  const [source, setSource] = useState<ImportSource>('upload')
  const [file, setFile] = useState<File | null>(null)
  const [text, setText] = useState('')
  const [missing, setMissing] = useState(false)
  useUnsavedGuard(file !== null || text.trim() !== '')
  const form = useRef<HTMLFormElement>(null)
  // External system: the document's focus. The button that had it no longer exists.
  useEffect(() => {
    if (hidden) return () => form.current?.querySelector<HTMLElement>('[type=submit]')?.focus()
  }, [hidden])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const content = source === 'upload' ? file : text.trim() && text
    setMissing(!content)
    if (content) onSubmit({ source, content })
    else form.current?.querySelector<HTMLElement>(`[id="${id}-content"]`)?.focus()
  }
  const pick = (next: ImportSource) => {
    setSource(next)
    // The file field is removed with its file; the text is kept.
    setFile(null)
    setMissing(false)
  }
  const problem = missing ? importShape[source].required : (error ?? undefined)
  return (
    <form
      ref={form}
      onSubmit={submit}
      hidden={hidden}
      noValidate
      className="flex max-w-160 flex-col gap-4"
    >
      <fieldset className="flex flex-wrap gap-x-6 gap-y-2">
        <legend className="mb-1 font-medium text-strong">Source</legend>
        <Choice name={id} value="upload" chosen={source} onPick={pick} />
        <Choice name={id} value="paste" chosen={source} onPick={pick} />
      </fieldset>
      {source === 'upload' ? (
        <Field
          key="file"
          id={`${id}-content`}
          label={importShape.upload.label}
          hint={importShape.upload.hint}
          error={problem}
        >
          {(control) => (
            <Input
              {...control}
              type="file"
              accept=".md,.zip,text/markdown,application/zip"
              className={fileStyles}
              onChange={(event) => setFile(event.target.files?.[0] ?? null)}
            />
          )}
        </Field>
      ) : (
        <Field key="text" id={`${id}-content`} label={importShape.paste.label} error={problem}>
          {(control) => (
            <Textarea
              {...control}
              rows={14}
              most={mostTextCharacters}
              spellCheck={false}
              placeholder={example}
              className="max-h-[60vh] font-mono text-mono"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
      )}
      <div>
        <Button type="submit" variant="primary" loading={busy}>
          {!busy && <Upload className="size-4" aria-hidden />}
          Add skills
        </Button>
      </div>
    </form>
  )
}

function Choice({
  name,
  value,
  chosen,
  onPick,
}: {
  name: string
  value: ImportSource
  chosen: ImportSource
  onPick: (value: ImportSource) => void
}) {
  return (
    <label className="flex min-h-8 items-center gap-2 pointer-coarse:min-h-10">
      <input
        type="radio"
        name={name}
        value={value}
        checked={chosen === value}
        onChange={() => onPick(value)}
        className="size-4 accent-accent"
      />
      {importShape[value].choice}
    </label>
  )
}
