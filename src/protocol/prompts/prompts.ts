import type { Language } from '../../core/language.ts'

/** All that a model is told in one language about how to work and how to write. `{{…}}` is filled in by who uses the text. */
export interface Prompts {
  readonly language: Language
  readonly system: SystemPrompts
  /** After a reply that did not arrive whole, by how it ended. */
  readonly incomplete: Readonly<Record<'length' | 'filtered' | 'broken', string>>
  /** Stands in a protocol in text where tools would be listed, when there are none. */
  readonly noTools: string
  /** Before the list of tools, which has one a line. */
  readonly tools: string
  readonly native: {
    readonly form: string
    /** After a reply without text and calls. */
    readonly empty: string
    /** After a text that was meant as a call. `{{problem}}` comes from reading it, in English. */
    readonly unread: string
  }
  readonly tagged: FormPrompts
  readonly thoughtAction: FormPrompts & {
    /** The label before a result, without its colon; `labels.ts` knows it. */
    readonly observation: string
    /**
     * Where a service is to stop a model that goes on as the system: before that label and, since many models know only this
     * one, before the English label. Services take four at most. On our side every label that is known ends the reply.
     */
    readonly stop: readonly string[]
  }
  /** Here `unread` has a `{{problem}}`: one of the problems. */
  readonly agentCalls: FormPrompts & { readonly problems: AgentCallProblems }
}

/** The system message and what is put into it. */
export interface SystemPrompts {
  /** The default template; `run/prompt.ts` has its placeholders. */
  readonly template: string
  /** `{{folder}}`, `{{network}}`: one of the three that follow. */
  readonly workspace: string
  readonly noNetwork: string
  /** `{{hosts}}` */
  readonly someHosts: string
  readonly machineNetwork: string
  /** `{{paths}}` */
  readonly protectedPaths: string
  /** `{{list}}` */
  readonly criteria: string
}

/** How replies are written, with an example; and what a model is told that wrote neither a call nor an answer. */
export interface FormPrompts {
  readonly form: string
  readonly unread: string
}

/** What can be wrong with a reply in agent-calls. */
export interface AgentCallProblems {
  readonly noObject: string
  /** `{{detail}}` comes from reading the JSON, in English. */
  readonly unreadable: string
  readonly calls: string
  readonly empty: string
}
