import { z } from 'zod'

/** A request as it goes over HTTP. Placeholders, such as `$API_KEY`, stand where secrets would be. */
export type SentHttp = { url: string; headers: Record<string, string>; body: string }

/** A model request as it goes to the provider. */
export const SentRequest = z.object({
  json: z.string().meta({
    description:
      'JSON text: the body of the HTTP request, or the request itself where there is none.',
  }),
  curl: z.string().nullable().meta({
    description: 'A command for a shell; null = nothing is sent over HTTP.',
  }),
  notes: z.array(z.string()).meta({
    description: 'Possible differences to what is sent, a sentence each.',
  }),
})
export type SentRequest = z.infer<typeof SentRequest>

/** Stands for the key of a connection; a shell reads it from its environment. */
export const keyPlace = '$API_KEY'
/** Stands for the address of a connection, which only admins see. */
export const addressPlace = '$ADDRESS'

/** Returns the request as a command for a shell. Nothing of it is read by the shell but the two placeholders. */
export function curlOf({ url, headers, body }: SentHttp): string {
  const lines = [
    `curl ${withPlace(url, addressPlace)}`,
    ...Object.entries(headers).map(
      ([name, value]) => `-H ${withPlace(`${name}: ${value}`, keyPlace)}`,
    ),
    `--data-raw ${quoted(body)}`,
  ]
  return lines.join(' \\\n  ')
}

/** Returns JSON text with indentation: strings and numbers stay as they stand there. */
export function indentedJson(json: string): string {
  let depth = 0
  const line = () => `\n${'  '.repeat(depth)}`
  return json.replaceAll(/"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[{}[\],:]|\s+/g, (part) => {
    switch (part) {
      case '{':
      case '[':
        depth += 1
        return part + line()
      case '}':
      case ']':
        depth -= 1
        return line() + part
      case ',':
        return part + line()
      case ':':
        return ': '
      default:
        return part.trim() === '' ? '' : part
    }
  })
}

/** Quotes a text for a shell, which puts in what the placeholder stands for. */
function withPlace(text: string, place: string): string {
  return text.split(place).map(quoted).join(`"${place}"`)
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
