import { TriangleAlert } from 'lucide-react'
import { VisibleText } from '@/components/trace/visible-text'

/** Says what a check could not keep of its run, a sentence each; nothing when it kept all. */
export function LeftOut({ sentences }: { sentences: readonly string[] }) {
  if (sentences.length === 0) return null
  return (
    <section
      aria-label="Left out"
      className="flex gap-2 rounded-md border border-warning/40 bg-warning-soft p-3"
    >
      <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warning" aria-hidden />
      <div className="min-w-0">
        <p className="font-medium text-warning">Left out of the copy</p>
        <ul className="flex flex-col gap-1 text-normal [overflow-wrap:anywhere]">
          {sentences.map((sentence) => (
            <li key={sentence}>
              <VisibleText text={sentence} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
