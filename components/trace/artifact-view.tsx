import type { Artifact } from '@/lib/protocol/files/artifact'
import { visibleText } from '@/lib/words/clean-text'
import { LongText } from './long-text'
import { ScrollRegion } from './scroll-region'
import { VisibleText } from './visible-text'

/** Formats a browser draws without running anything. SVG is not one of them. */
const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
const mostRows = 200

/** Shows an artifact that a tool made for people. The model never saw it. */
export function ArtifactView({ artifact }: { artifact: Artifact }) {
  return (
    <figure className="my-1 flex flex-col gap-1">
      <figcaption className="text-muted text-sm">
        <VisibleText text={artifact.title} />
      </figcaption>
      <Content artifact={artifact} />
    </figure>
  )
}

function Content({ artifact }: { artifact: Artifact }) {
  switch (artifact.type) {
    case 'text':
      return <LongText text={artifact.text} label={visibleText(artifact.title)} />
    case 'table':
      return <ArtifactTable columns={artifact.columns} rows={artifact.rows} />
    case 'image':
      return (
        <ArtifactImage mediaType={artifact.mediaType} data={artifact.data} title={artifact.title} />
      )
    default:
      return artifact satisfies never
  }
}

function ArtifactTable({ columns, rows }: { columns: string[]; rows: string[][] }) {
  const shown = rows.slice(0, mostRows)
  return (
    <ScrollRegion label="Table" className="max-h-[70vh] overflow-auto rounded-sm border">
      <table className="w-full border-collapse text-left text-sm">
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                className="border-b bg-surface-2 px-2 py-1 font-medium text-muted"
              >
                <VisibleText text={column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of an artifact do not change
            <tr key={index} className="border-b last:border-b-0">
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a row do not change
                <td key={column} className="px-2 py-1 align-top font-mono text-mono">
                  <VisibleText text={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shown.length && (
        <p className="px-2 py-1 text-muted text-sm">
          {rows.length - shown.length} more rows in the raw JSON.
        </p>
      )}
    </ScrollRegion>
  )
}

function ArtifactImage({
  mediaType,
  data,
  title,
}: {
  mediaType: string
  data: string
  title: string
}) {
  if (!imageTypes.has(mediaType)) {
    return <p className="text-muted text-sm">Not shown: {visibleText(mediaType)}</p>
  }
  return (
    // biome-ignore lint/performance/noImgElement: the bytes are in the page, there is nothing to load
    <img
      src={`data:${mediaType};base64,${data}`}
      alt={visibleText(title)}
      className="max-h-96 max-w-full self-start"
    />
  )
}
