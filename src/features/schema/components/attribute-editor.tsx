/** The attributes of one type as editable rows: name, type, default, index or discriminator. */
import { ActionIcon, Button, Checkbox, Tooltip } from '@mantine/core'
import { ClipboardPaste, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import {
  commonTypes,
  isDiscriminable,
  isIndexable,
  parseAttributeType,
  takesDefault,
  widenedTypes,
} from '#lib/graph-schema/attribute-type.ts'
import { defaultProblem } from '#lib/graph-schema/default-value.ts'
import type { AttributeModel, SchemaModel, TypeModel } from '#lib/graph-schema/schema-model.ts'
import { keyPlaceOf } from '../model/attribute-operations.ts'
import { attributeNameProblem, freeIndexName } from '../model/names.ts'
import { newAttribute } from '../model/new-type.ts'
import type { Operation } from '../model/operations.ts'
import { matched, publishedTypeOf } from '../model/published.ts'
import { CommitField } from './commit-field.tsx'
import { PasteAttributes } from './paste-attributes.tsx'
import classes from './schema.module.css'
import { useRowKeys } from './use-row-keys.ts'

interface AttributeEditorProps {
  readonly schema: SchemaModel
  readonly type: TypeModel
  /** The published form of the type; its attributes have a price. */
  readonly published: TypeModel | undefined
  readonly tuples: readonly string[]
  readonly apply: (operation: Operation) => string | null
}

export function AttributeEditor(props: AttributeEditorProps) {
  const { type, tuples, apply } = props
  const [pasting, setPasting] = useState(false)
  const keys = useRowKeys(type.attributes.map(({ name }) => name))
  const add = () => {
    apply({ kind: 'addAttributes', name: type.name, attributes: [newAttribute(type)] })
  }
  return (
    <section className={classes['part']} aria-label="Attributes">
      <header className={classes['partHeader']}>
        <h3>Attributes</h3>
        <Button
          variant="subtle"
          leftSection={<ClipboardPaste size={13} aria-hidden="true" />}
          onClick={() => setPasting(true)}
        >
          Paste rows
        </Button>
        <Button
          variant="default"
          leftSection={<Plus size={13} aria-hidden="true" />}
          onClick={add}
          data-action="add-attribute"
        >
          Add attribute
        </Button>
      </header>
      {type.attributes.length === 0 ? (
        <p className={classes['none']}>
          None yet. Press A to add one, or paste rows such as <code>name STRING</code>.
        </p>
      ) : (
        <ul className={classes['attributes']}>
          {type.attributes.map((attribute, position) => (
            <AttributeRow
              key={keys[position]}
              {...props}
              attribute={attribute}
              position={position}
            />
          ))}
        </ul>
      )}
      <PasteAttributes
        opened={pasting}
        onClose={() => setPasting(false)}
        tuples={tuples}
        onPaste={(attributes) => apply({ kind: 'addAttributes', name: type.name, attributes })}
      />
    </section>
  )
}

interface AttributeRowProps extends AttributeEditorProps {
  readonly attribute: AttributeModel
  readonly position: number
}

function AttributeRow(props: AttributeRowProps) {
  const { type, attribute, position, published, tuples, apply } = props
  const before = replacedBy(attribute, type, published)
  const isPublished = !attribute.isNew
  const keyPlace = keyPlaceOf(type, attribute.name)
  const isKey = keyPlace >= 0
  const isDiscriminator = type.kind === 'edge' && position < type.discriminatorCount
  const change = (to: Partial<AttributeModel>) =>
    apply({
      kind: 'changeAttribute',
      name: type.name,
      attribute: attribute.name,
      to: { ...attribute, ...to },
    })
  return (
    <li>
      <div className={classes['attributeFields']}>
        <CommitField
          isCell
          label={`Name of attribute ${position + 1}`}
          focusName={`attribute-${position}`}
          value={attribute.name}
          problemOf={(name) => attributeNameProblem(type, name, attribute.name)}
          onCommit={(name) => change({ name })}
        />
        <CommitField
          isCell
          label={`Type of ${attribute.name}`}
          value={attribute.type}
          suggestions={typeChoices(attribute, [...commonTypes, ...tuples])}
          disabled={isPublished && (isKey || isDiscriminator)}
          problemOf={(text) => typeProblem(text, tuples)}
          onCommit={(text) => change(retyped(attribute, text, tuples))}
        />
        {isKey ? (
          <span className={classes['fixedDefault']}>key {keyPlace + 1}</span>
        ) : attribute.isNew && takesDefault(attribute.type) ? (
          <CommitField
            isCell
            label={`Default of ${attribute.name}`}
            placeholder="no default"
            value={attribute.defaultText ?? ''}
            problemOf={(text) => defaultProblem(attribute.type, text)}
            onCommit={(text) => change({ defaultText: text === '' ? null : text })}
          />
        ) : (
          <span className={classes['fixedDefault']}>
            {attribute.defaultText === null ? '' : `= ${attribute.defaultText}`}
          </span>
        )}
        <AttributeSwitch {...props} />
        <Tooltip label={`Drop ${attribute.name}`}>
          <ActionIcon
            aria-label={`Drop attribute ${attribute.name}`}
            disabled={isKey}
            onClick={() =>
              apply({ kind: 'dropAttribute', name: type.name, attribute: attribute.name })
            }
          >
            <Trash2 size={14} aria-hidden="true" />
          </ActionIcon>
        </Tooltip>
      </div>
      {before !== undefined && (
        <p className={classes['price']}>
          Was {before.type}: publishing replaces the attribute, and its values are lost.
        </p>
      )}
      {migrationHint(attribute) !== '' && (
        <p className={classes['hint']}>{migrationHint(attribute)}</p>
      )}
    </li>
  )
}

/** What is published under the name of a new attribute, and goes for it. */
function replacedBy(
  { name, isNew }: AttributeModel,
  type: TypeModel,
  published: TypeModel | undefined,
): AttributeModel | undefined {
  if (!isNew || type.isNew || published === undefined) return undefined
  return matched(published.attributes, type.attributes).gone.find((one) => one.name === name)
}

function migrationHint(attribute: AttributeModel): string {
  const { publishedAs, publishedType } = attribute
  const was = [publishedAs ?? [], publishedType ?? []].flat().join(' ')
  return was === '' ? '' : `Published as ${was}: its values stay.`
}

/** Of a published attribute first the types that keep its values. */
function typeChoices(attribute: AttributeModel, all: readonly string[]) {
  if (attribute.isNew) return all
  const published = publishedTypeOf(attribute)
  const keeping = [published, ...widenedTypes(published)]
  return [
    { group: 'Keeps the values', items: keeping },
    {
      group: 'Replace: its values are lost',
      items: all.filter((one) => !keeping.includes(one)),
    },
  ]
}

/** A vertex attribute may have an index, an edge attribute may be a discriminator. */
function AttributeSwitch({ schema, type, attribute, position, apply }: AttributeRowProps) {
  if (type.kind === 'vertex') {
    const index = type.indexes.find((one) => one.attribute === attribute.name)
    return (
      <Checkbox
        label="index"
        aria-label={`Index on ${attribute.name}`}
        checked={index !== undefined}
        disabled={!isIndexable(attribute.type)}
        onChange={() =>
          apply(
            index === undefined
              ? {
                  kind: 'addIndex',
                  name: type.name,
                  index: {
                    name: freeIndexName(schema, `${type.name}_${attribute.name}_index`),
                    attribute: attribute.name,
                  },
                }
              : { kind: 'dropIndex', name: type.name, index: index.name },
          )
        }
      />
    )
  }
  return (
    <Checkbox
      label="key"
      aria-label={`${attribute.name} tells parallel edges apart`}
      checked={position < type.discriminatorCount}
      disabled={!type.isNew || !isDiscriminable(attribute.type)}
      onChange={(event) =>
        apply({
          kind: 'setDiscriminator',
          name: type.name,
          attribute: attribute.name,
          on: event.currentTarget.checked,
        })
      }
    />
  )
}

function typeProblem(text: string, tuples: readonly string[]): string | null {
  const parsed = parseAttributeType(text, tuples)
  return parsed.ok ? null : parsed.message
}

/** A default that the new type cannot read goes. */
function retyped(
  attribute: AttributeModel,
  text: string,
  tuples: readonly string[],
): Partial<AttributeModel> {
  const parsed = parseAttributeType(text, tuples)
  if (!parsed.ok) return {}
  const { defaultText } = attribute
  const keeps = defaultText !== null && defaultProblem(parsed.type, defaultText) === null
  return { type: parsed.type, defaultText: keeps ? defaultText : null }
}
