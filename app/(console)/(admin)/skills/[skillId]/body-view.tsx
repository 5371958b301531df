'use client'
import { Disclosure } from '@/components/trace/disclosure'
import { LongText } from '@/components/trace/long-text'
import { Markdown } from '@/components/trace/markdown'

/** Shows the text of a skill, formatted as plain content, and as it was written. */
export function BodyView({ body }: { body: string }) {
  if (body.trim() === '') {
    return <p className="text-muted">No text, only allowed tools.</p>
  }
  return (
    <>
      <div className="rounded-md border bg-surface-1 p-4">
        <Markdown text={body} />
      </div>
      <Disclosure summary="As it was written">
        <LongText text={body} label="Skill text as written" />
      </Disclosure>
    </>
  )
}
