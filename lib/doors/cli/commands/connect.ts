import { type Command, Option } from 'commander'
import { connectionPresets } from '@/lib/domains/connections/presets'
import { ValidationError } from '@/lib/kernel/errors'
import { DataClass } from '@/lib/protocol/tool'
import { command } from '../command'
import { printLine } from '../print'
import { settingOption } from './connection'

type Options = {
  model?: string
  identifier?: string
  dataClass: DataClass
  baseUrl?: string
  setting?: Record<string, string>
  allowPrivate?: boolean
  keyStdin?: boolean
  staysHere?: boolean
  reason?: string
}

const other = 'other'
const providers = [...connectionPresets.map(({ id }) => id), other]

const examples = `
The key of a provider that needs one is read from standard input.

Examples:
  toolgate connect anthropic < key.txt
  toolgate connect ollama --model qwen3:8b --data-class secret-adjacent --stays-here
  toolgate connect other --base-url https://models.example.org/v1 --key-stdin < key.txt

Providers: ${providers.join(', ')}`

export function addConnectCommand(program: Command): void {
  command<Options>(program, 'connect', {
    description: 'add a connection, a model and a configuration in one step',
    args: { '<provider>': 'a known provider, or "other" with --base-url' },
    options: (made) =>
      made
        .option('--model <id>', 'model to use (default: a sensible one of those it offers)')
        .option(
          '--identifier <name>',
          'of the configuration (default: made from the id of the model)',
        )
        .addOption(
          new Option('--data-class <class>', 'most sensitive data that it may be sent')
            .choices(DataClass.options)
            .default('content'),
        )
        .option('--base-url <url>', 'its address, where it is not the usual one')
        .addOption(settingOption())
        .option('--allow-private', 'allow an address in a private network or on this machine')
        .option(
          '--key-stdin',
          'read a key from standard input, where the provider may work without',
        )
        .option(
          '--stays-here',
          'confirm that what is sent to the address stays in your own network',
        )
        .option('--reason <text>', 'reason; required to send more than the trust zone allows')
        .addHelpText('after', examples),
    work: async ({ ctx, args: [wanted = ''], options }) => {
      const { model, identifier = null, dataClass, staysHere = false, reason, ...given } = options
      const { connectModel } = await import('@/lib/probes/connect-model')
      const connected = await connectModel(ctx, {
        provider: await providerOf(wanted, given),
        modelId: model ?? null,
        identifier,
        dataClass,
        staysHere,
        reason,
      })
      return {
        json: connected,
        text: () => {
          printLine(`Connected: the configuration ${connected.identifier} can be run now.`)
          printLine(
            `Try it: bin/toolgate run --configuration ${connected.identifier} --prompt "What time is it in Tokyo?"`,
          )
        },
      }
    },
  })
}

type Given = Pick<Options, 'baseUrl' | 'setting' | 'allowPrivate' | 'keyStdin'>

async function providerOf(wanted: string, { baseUrl, setting, allowPrivate, keyStdin }: Given) {
  const preset = connectionPresets.find(({ id }) => id === wanted)
  if (!preset && wanted !== other) {
    throw new ValidationError({
      provider: `"${wanted}" is no known provider. Known are ${providers.join(', ')}.`,
    })
  }
  const takesKey = Boolean(preset?.keyFrom) || keyStdin === true
  const { readKey, tellPasted } = await import('@/lib/doors/cli/input/read-input')
  tellPasted('base-url', baseUrl)
  return {
    name: preset?.label ?? 'My server',
    wire: preset?.wire ?? ('openai-compatible' as const),
    baseUrl: baseUrl ?? preset?.baseUrl ?? null,
    settings: setting ?? preset?.settings ?? {},
    privateAddressAllowed: allowPrivate ?? preset?.privateAddressAllowed ?? false,
    apiKey: takesKey ? await readKey() : null,
  }
}
