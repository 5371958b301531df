import type { FixPlace } from '@/lib/protocol/model/failure-words'
import type { ModelTarget } from '@/lib/protocol/model/model-target'

type Facts = { target: ModelTarget | null; configurationIdentifier: string | null }

/** Returns the command that shows or changes the cause of a failed run; null = the cause is not known. */
export function fixCommand(
  place: FixPlace,
  { target, configurationIdentifier }: Facts,
): string | null {
  switch (place) {
    case 'key':
      return target && `toolgate key set --connection ${shellWord(target.connectionName)} < key.txt`
    case 'connection':
      return target && `toolgate connection test ${shellWord(target.connectionName)}`
    case 'model':
      return target && `toolgate model show ${target.modelRecordId}`
    case 'price':
      return target && `toolgate model price ${target.modelRecordId} --input USD --output USD`
    case 'configuration':
      return configurationIdentifier && `toolgate configuration show ${configurationIdentifier}`
    case 'budgets':
      return 'toolgate budget list'
    default:
      return place satisfies never
  }
}

/** Returns the text quoted as one word of a shell. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9][\w.-]*$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
