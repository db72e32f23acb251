package org.servletbench.simulations

import java.util.prefs.{AbstractPreferences, Preferences, PreferencesFactory}

/** Keeps Gatling from asking a package registry for its latest version at every
  * start.
  *
  * Gatling has no option for this, but it asks only if the time of its last
  * request, which it keeps in the user's preferences, is old enough. These
  * preferences are in memory, and put that time into the far future.
  */
final class OfflinePreferences extends PreferencesFactory {
  override val systemRoot: Preferences = new OfflinePreferences.Node(None, "")
  override val userRoot: Preferences = new OfflinePreferences.Node(None, "")
}

object OfflinePreferences {
  private val LastQuestion = "lastCheckTimestamp"

  private final class Node(parent: Option[Node], name: String)
      extends AbstractPreferences(parent.orNull, name) {
    override protected def getSpi(key: String): String =
      if (key == LastQuestion) Long.MaxValue.toString else null
    override protected def putSpi(key: String, value: String): Unit = ()
    override protected def removeSpi(key: String): Unit = ()
    override protected def removeNodeSpi(): Unit = ()
    override protected def keysSpi(): Array[String] = Array(LastQuestion)
    override protected def childrenNamesSpi(): Array[String] = Array.empty
    override protected def childSpi(name: String): AbstractPreferences =
      new Node(Some(this), name)
    override protected def syncSpi(): Unit = ()
    override protected def flushSpi(): Unit = ()
  }
}
