Feature: Expressions

  Scenario Outline: a value
    Given any graph
    When executing query:
      """
      RETURN <expression> AS x
      """
    Then the result should be, in any order:
      | x       |
      | <value> |

    Examples:
      | expression                                | value              |
      | 1 < 2 < 3                                 | true               |
      | 3 > 2 > 2                                 | false              |
      | true OR true XOR true                     | true               |
      | NOT false AND false                       | false              |
      | 1 = 2 IS NULL                             | false              |
      | 2 ^ 3 ^ 2                                 | 64.0               |
      | 2 ^ 40                                    | 1099511627776.0    |
      | 7 / 2                                     | 3                  |
      | -7 % 3                                    | -1                 |
      | '\u00e9t\u00e9'                           | 'été'              |
      | 0xff + 0o17                               | 270                |
      | 1.5e300                                   | 1.5e300            |
      | 2.0e-999                                  | 0.0                |
      | -9223372036854775808                      | -9223372036854775808 |
      | CASE true WHEN 1 THEN 'one' ELSE 'none' END | 'none'           |
      | null = null                               | null               |
      | null OR true                              | true               |
      | null AND true                             | null               |
      | NOT null                                  | null               |
      | 3 IN [1, null]                            | null               |
      | 1 IN [1, null]                            | true               |
      | null IN []                                | false              |
      | [1, 2, 3][-1]                             | 3                  |
      | [1, 2, 3][5]                              | null               |
      | range(5, 1, -2)                           | [5, 3, 1]          |
      | coalesce(null, null, 4)                   | 4                  |
      | toInteger('x')                            | null               |
      | size('gr' + 'aph')                        | 5                  |
      | [1] + [2, 3]                              | [1, 2, 3]          |
      | 'graph' STARTS WITH 'gr'                  | true               |
      | 'graph' ENDS WITH null                    | null               |

  Scenario: a name that is always null is null of any type
    Given any graph
    When executing query:
      """
      WITH null AS n
      RETURN n + 1 AS a, n + 'b' AS b, NOT n AS c, n IN [1] AS d, n AND false AS e, n IS NULL AS f
      """
    Then the result should be, in any order:
      | a    | b    | c    | d    | e     | f    |
      | null | null | null | null | false | true |

  Scenario: a relationship from a node to itself is met once without a direction
    Given an empty graph
    And having executed:
      """
      CREATE (a:A), (a)-[:T]->(a), (a)-[:T]->(:B)
      """
    When executing query:
      """
      MATCH (a:A)-[r:T]-(x) RETURN labels(x) AS l, count(r) AS n
      """
    Then the result should be, in any order:
      | l     | n |
      | ['A'] | 1 |
      | ['B'] | 1 |

  Scenario: a repeated relationship is at least one
    Given an empty graph
    And having executed:
      """
      CREATE (:A {x: 1})-[:T]->(:A {x: 2})-[:T]->(:A {x: 3})
      """
    When executing query:
      """
      MATCH (a:A {x: 1})-[:T*..2]->(b) RETURN b.x AS x
      """
    Then the result should be, in any order:
      | x |
      | 2 |
      | 3 |

  Scenario: a property that a node's label does not have is null
    Given an empty graph
    And having executed:
      """
      CREATE (:A {x: 1})-[:T {w: 2}]->(:B {y: 0}), (:B {y: 5})-[:U]->(:A {x: 0})
      """
    When executing query:
      """
      MATCH (n)-[r]->(m)
      RETURN n.x AS nx, m.x IS NULL AS b, r.w AS w, coalesce(n.y, -1) AS ny, NOT m.y = 0 AS c
      """
    Then the result should be, in any order:
      | nx   | b     | w    | ny | c     |
      | 1    | true  | 2    | -1 | false |
      | null | false | null | 5  | null  |

  Scenario: aggregates leave properties out that are not there
    Given an empty graph
    And having executed:
      """
      CREATE (:A {x: 4}), (:A {x: 2}), (:B {y: 1})
      """
    When executing query:
      """
      MATCH (n) RETURN count(n.x) AS c, min(n.x) AS least, avg(n.x) AS mean, count(*) AS all
      """
    Then the result should be, in any order:
      | c | least | mean | all |
      | 2 | 2     | 3.0  | 3   |
